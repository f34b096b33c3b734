// Splits a stream of text into lines of bounded length, however long its writer's lines are.
const longestLine = 2_000

export function createLineSplitter(onLine: (line: string) => void): (chunk: string) => void {
  let pending = ''
  let skipping = false

  const finish = (line: string) => {
    if (!skipping && line.trim() !== '') onLine(line.trimEnd())
    skipping = false
  }

  return (chunk) => {
    const [first = '', ...rest] = chunk.split('\n')
    pending += first
    for (const next of rest) {
      finish(pending.slice(0, longestLine))
      pending = next
    }
    if (pending.length <= longestLine) return
    // Drops the rest of this line, so that it cannot accumulate in memory.
    finish(pending.slice(0, longestLine))
    skipping = true
    pending = ''
  }
}

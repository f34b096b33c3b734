// The difference of two texts as a patch: the unified format, three lines of context.

interface Row {
  mark: ' ' | '-' | '+'
  text: string
}

const context = 3

/** Empty if the texts are the same. */
export function writePatch(path: string, before: string, after: string): string {
  if (before === after) return ''
  const rows = compareLines(before.split('\n'), after.split('\n'))
  const hunks = hunksOf(rows)
  return [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, ...hunks, ''].join('\n')
}

function hunksOf(rows: readonly Row[]): string[] {
  const changed = rows.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]))
  const groups: [from: number, to: number][] = []
  for (const index of changed) {
    const last = groups.at(-1)
    if (last !== undefined && index - last[1] <= 2 * context) last[1] = index
    else groups.push([index, index])
  }
  return groups.flatMap(([first, last]) => {
    const from = Math.max(0, first - context)
    // The text after the last line break is no line.
    const part = rows
      .slice(from, last + context + 1)
      .filter(({ text }, at) => text !== '' || from + at < rows.length - 1)
    const [before, after] = [countOf(rows.slice(0, from), '+'), countOf(rows.slice(0, from), '-')]
    const head = `@@ -${before + 1},${countOf(part, '+')} +${after + 1},${countOf(part, '-')} @@`
    return [head, ...part.map(({ mark, text }) => `${mark}${text}`)]
  })
}

/** Rows without those of one mark. */
function countOf(rows: readonly Row[], without: '+' | '-'): number {
  return rows.filter(({ mark }) => mark !== without).length
}

/** The shortest difference, after Myers. */
function compareLines(before: readonly string[], after: readonly string[]): Row[] {
  const [start, end] = commonEnds(before, after)
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  const same = (lines: readonly string[]): Row[] => lines.map((text) => ({ mark: ' ', text }))
  return [...same(before.slice(0, start)), ...shortest(a, b), ...same(before.slice(before.length - end))]
}

function commonEnds(before: readonly string[], after: readonly string[]): [start: number, end: number] {
  const least = Math.min(before.length, after.length)
  let start = 0
  while (start < least && before[start] === after[start]) start++
  let end = 0
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end++
  return [start, end]
}

function shortest(a: readonly string[], b: readonly string[]): Row[] {
  const trace: Map<number, number>[] = []
  let reached = new Map<number, number>([[1, 0]])
  for (let depth = 0; depth <= a.length + b.length; depth++) {
    trace.push(new Map(reached))
    const next = new Map(reached)
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = startOf(next, diagonal, depth)
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
      next.set(diagonal, x)
      if (x >= a.length && x - diagonal >= b.length) return backtrack(trace, a, b)
    }
    reached = next
  }
  return []
}

function startOf(reached: ReadonlyMap<number, number>, diagonal: number, depth: number): number {
  const [left, right] = [reached.get(diagonal - 1) ?? -1, reached.get(diagonal + 1) ?? -1]
  return isDown(diagonal, depth, { left, right }) ? right : left + 1
}

function isDown(diagonal: number, depth: number, { left, right }: { left: number; right: number }): boolean {
  return diagonal === -depth || (diagonal !== depth && left < right)
}

function backtrack(trace: readonly Map<number, number>[], a: readonly string[], b: readonly string[]): Row[] {
  const rows: Row[] = []
  let [x, y] = [a.length, b.length]
  for (let depth = trace.length - 1; depth >= 0; depth--) {
    const reached = trace[depth] ?? new Map<number, number>()
    const diagonal = x - y
    const [left, right] = [reached.get(diagonal - 1) ?? -1, reached.get(diagonal + 1) ?? -1]
    const down = isDown(diagonal, depth, { left, right })
    const [fromX, fromDiagonal] = down ? [right, diagonal + 1] : [left, diagonal - 1]
    const fromY = fromX - fromDiagonal
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      rows.push({ mark: ' ', text: a[--x] ?? '' })
      y--
    }
    if (depth === 0) break
    if (down) rows.push({ mark: '+', text: b[--y] ?? '' })
    else rows.push({ mark: '-', text: a[--x] ?? '' })
  }
  return rows.reverse()
}

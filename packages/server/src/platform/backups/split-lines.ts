// Cuts a stream into lines, each with its line break. What follows the last line break comes as it is.
const newline = 0x0a
/** The largest row has a source map in it, which takes twice its bytes as text. */
const longestLine = 256 * 1_024 * 1_024

/** A file that unpacks to a line without end is no backup, and must not take all memory. */
export class LineTooLong extends Error {
  override name = 'LineTooLong'
}

export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      const rest = chunk.subarray(from, at + 1)
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      begun = []
      begunBytes = 0
      from = at + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
    begunBytes += chunk.length - from
    if (begunBytes > longestLine) throw new LineTooLong(`A line has more than ${longestLine} bytes.`)
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

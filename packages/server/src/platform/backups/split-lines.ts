// Splits a stream into lines, each with its line break. Bytes after the last line break are passed on unchanged.
const newline = 0x0a
/** The largest rows contain a source map, which takes twice its size as text. */
const longestLine = 256 * 1_024 * 1_024

/** Bounds memory: a file that unpacks to an endless line is not a valid backup. */
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

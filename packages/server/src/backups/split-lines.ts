// Cuts a stream into lines, each with its line break. What follows the last line break comes as it is.
const newline = 0x0a

export async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      const rest = chunk.subarray(from, at + 1)
      yield begun.length === 0 ? rest : Buffer.concat([...begun, rest])
      begun = []
      from = at + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

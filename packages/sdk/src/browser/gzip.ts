// Gzip in independent members: concatenated, they are valid gzip. Compressing is asynchronous, too slow for a page that
// is being left; a member that stores its content uncompressed is ready at once.

export type Piece = Uint8Array<ArrayBuffer>

export async function compress(content: string | Piece): Promise<Piece> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The limit of one stored block. */
const longestBlock = 0xffff

export function wrap(content: Uint8Array): Piece {
  const bytes = content.subarray(0, longestBlock)
  const { length } = bytes
  const piece = new Uint8Array(length + 23)
  const view = new DataView(piece.buffer)
  view.setUint32(0, 0x1f8b0800)
  view.setUint8(10, 1)
  view.setUint16(11, length, true)
  view.setUint16(13, ~length, true)
  piece.set(bytes, 15)
  view.setUint32(length + 15, checksum(bytes), true)
  view.setUint32(length + 19, length, true)
  return piece
}

/** CRC-32 without a lookup table: slower, but it only processes a few kilobytes when a page is left. */
function checksum(bytes: Uint8Array): number {
  let sum = -1
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320)
  }
  return ~sum
}

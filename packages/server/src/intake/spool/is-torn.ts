// Distinguishes an incomplete write from damage: a crash leaves the beginning of a record, or zeros where the file had
// grown before its content was on disk. Neither was ever acknowledged. Anything else is lost data.

import type { BytesAt } from './find-whole-record.ts'
import { decodeHeader, headerBytes } from './record.ts'

const lookedAt = 512

/** Whether the end of a file, with no whole record after it, is an incomplete write. */
export async function isTorn(
  bytesAt: BytesAt,
  { offset, size }: { offset: number; size: number },
): Promise<boolean> {
  const length = size - offset
  if (length < headerBytes) return true
  const head = await bytesAt(offset, headerBytes)
  const header = head && decodeHeader(head)
  if (header !== undefined && offset + headerBytes + header.bodyBytes > size) return true
  const tail = await bytesAt(size - Math.min(length, lookedAt), Math.min(length, lookedAt))
  return tail?.every((byte) => byte === 0) === true
}

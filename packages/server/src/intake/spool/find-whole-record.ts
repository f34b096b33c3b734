// Finds the next whole record of a segment, also behind damage: by the length in an intact header, otherwise by
// searching for the magic bytes of a record. Client text cannot be mistaken for a record: it contains no control
// characters, but every header does.

import { decodeHeader, headerBytes, isWhole, type RecordHeader, recordMark } from './record.ts'

export interface WholeRecord {
  header: RecordHeader
  body: Buffer
  offset: number
  /** Including its header. */
  size: number
}

export interface Search {
  found: WholeRecord | undefined
  /** How many records were skipped, as far as known. */
  damagedRecords: number
}

/** Bytes of a segment, or undefined past its end. */
export type BytesAt = (offset: number, length: number) => Promise<Buffer | undefined>

const chunkBytes = 1_024 * 1_024

export async function findWholeRecord(
  bytesAt: BytesAt,
  { offset, size }: { offset: number; size: number },
): Promise<Search> {
  let damagedRecords = 0
  let isSearching = false
  for (let at = offset; at + headerBytes <= size; ) {
    const head = await bytesAt(at, headerBytes)
    const header = head && decodeHeader(head)
    const length = headerBytes + (header?.bodyBytes ?? 0)
    if (header !== undefined && at + length <= size) {
      const record = await bytesAt(at, length)
      if (record !== undefined && isWhole(record)) {
        const body = record.subarray(headerBytes)
        return { found: { header, body, offset: at, size: length }, damagedRecords }
      }
      if (header.isSealed) {
        damagedRecords += 1
        isSearching = false
        at += length
        continue
      }
    }
    if (!isSearching) damagedRecords += 1
    isSearching = true
    at = await findMark(bytesAt, { from: at + 1, size })
  }
  return { found: undefined, damagedRecords: damagedRecords }
}

/** The end of the segment when no record follows. */
async function findMark(bytesAt: BytesAt, { from, size }: { from: number; size: number }): Promise<number> {
  for (let at = from; at + recordMark.length <= size; at += chunkBytes) {
    const length = Math.min(chunkBytes + recordMark.length - 1, size - at)
    const index = (await bytesAt(at, length))?.indexOf(recordMark) ?? -1
    if (index >= 0) return at + index
  }
  return size
}

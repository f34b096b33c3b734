// Reads records of the spool many at a time, with one call to the disk. What is before the end of a file never changes, so
// that nothing held here grows old.

import type { FileHandle } from 'node:fs/promises'
import { decodeHeader, headerBytes, isWhole, type RecordHeader } from './record.ts'

export interface ReadWindow {
  /** The whole record at this place, or undefined when there is none. */
  read(place: Place): Promise<FoundRecord | undefined>
}

export interface FoundRecord {
  header: RecordHeader
  body: Buffer
  /** With its header. */
  size: number
}

interface Place {
  segment: number
  offset: number
  /** Of what is on disk for certain of this segment. */
  size: number
}

const windowBytes = 1_024 * 1_024

export function createReadWindow(fileOf: (segment: number) => Promise<FileHandle>): ReadWindow {
  let held = { segment: -1, start: 0, bytes: Buffer.alloc(0) }

  const find = ({ segment, offset }: Place, length: number) => {
    const start = offset - held.start
    const isHeld = segment === held.segment && start >= 0 && start + length <= held.bytes.length
    return isHeld ? held.bytes.subarray(start, start + length) : undefined
  }

  const bytesAt = async (place: Place, length: number) => {
    const { segment, offset, size } = place
    if (offset + length > size) return undefined
    const found = find(place, length)
    if (found !== undefined) return found

    const file = await fileOf(segment)
    const bytes = Buffer.allocUnsafe(Math.min(size - offset, Math.max(length, windowBytes)))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
    held = { segment, start: offset, bytes: bytes.subarray(0, bytesRead) }
    return find(place, length)
  }

  return {
    async read(place) {
      const head = await bytesAt(place, headerBytes)
      const header = head && decodeHeader(head)
      if (header === undefined) return undefined
      const size = headerBytes + header.bodyBytes
      const record = await bytesAt(place, size)
      if (record === undefined || !isWhole(record)) return undefined
      return { header, body: record.subarray(headerBytes), size }
    },
  }
}

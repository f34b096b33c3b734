// Reads a segment of the spool a megabyte at a time, with one call to the disk. What is before the end of a file never changes,
// so that nothing held here grows old.

import type { FileHandle } from 'node:fs/promises'

export interface ReadWindow {
  /** These bytes, or undefined when the segment has fewer. */
  bytesAt(place: Place, length: number): Promise<Buffer | undefined>
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

  return {
    async bytesAt(place, length) {
      const { segment, offset, size } = place
      if (offset + length > size) return undefined
      const found = find(place, length)
      if (found !== undefined) return found

      const file = await fileOf(segment)
      const bytes = Buffer.allocUnsafe(Math.min(size - offset, Math.max(length, windowBytes)))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, offset)
      held = { segment, start: offset, bytes: bytes.subarray(0, bytesRead) }
      return find(place, length)
    },
  }
}

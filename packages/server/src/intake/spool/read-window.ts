// Reads a segment of the spool one megabyte per read. Bytes before the end of a file never change, so the window never
// becomes stale.

import type { FileHandle } from 'node:fs/promises'
import { errorCode } from '../../platform/data-folder/error-code.ts'

interface ReadWindow {
  /** These bytes, or undefined past the end of the segment. */
  bytesAt(place: Place, length: number): Promise<Buffer | undefined>
}

interface Place {
  segment: number
  offset: number
  /** The durable length of this segment. */
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
      const bytesRead = await readWhatCan(file, bytes, offset)
      held = { segment, start: offset, bytes: bytes.subarray(0, bytesRead) }
      return find(place, length)
    },
  }
}

/** The sector size, the unit in which disks read and fail. */
const sectorBytes = 4_096
/** Not zeros, which a crash leaves at the end of a file. */
const unreadable = 0xff

/**
 * An unreadable sector loses only its own records: the rest is read sector by sector. Returns the number of bytes.
 */
async function readWhatCan(file: FileHandle, bytes: Buffer, offset: number): Promise<number> {
  const readAt = async (start: number, length: number) => {
    const { bytesRead } = await file.read(bytes, start, length, offset + start)
    return bytesRead
  }
  try {
    return await readAt(0, bytes.length)
  } catch (error) {
    if (errorCode(error) !== 'EIO') throw error
  }
  for (let start = 0; start < bytes.length; ) {
    const length = Math.min(bytes.length - start, sectorBytes - ((offset + start) % sectorBytes))
    try {
      const bytesRead = await readAt(start, length)
      if (bytesRead < length) return start + bytesRead
    } catch (error) {
      if (errorCode(error) !== 'EIO') throw error
      bytes.fill(unreadable, start, start + length)
    }
    start += length
  }
  return bytes.length
}

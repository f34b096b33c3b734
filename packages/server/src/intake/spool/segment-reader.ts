// Reads the files of the spool. Damaged records and deleted files are skipped and counted.

import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../platform/data-folder/error-code.ts'
import type { DamageLog } from './damage-log.ts'
import { type BytesAt, findWholeRecord, type WholeRecord } from './find-whole-record.ts'
import { isTorn } from './is-torn.ts'
import type { Position } from './position.ts'
import { createReadWindow } from './read-window.ts'
import {
  bytesOfIds,
  decodeHeader,
  headerBytes,
  type KnownThing,
  knownIn,
  type RecordHeader,
} from './record.ts'

export interface StoredRecord {
  header: RecordHeader
  body: Buffer
  position: Position
  next: Position
}

interface SegmentReader {
  /** The record at a position, or undefined at the end. */
  read(position: Position): Promise<StoredRecord | undefined>
  /** The IDs of the records in a complete segment. */
  knownIn(segment: number): Promise<KnownThing[]>
  /** Closes the file of this segment, or all files. */
  close(segment?: number): Promise<void>
}

interface ReaderParts {
  folder: string
  sizes: ReadonlyMap<number, number>
  damage: Pick<DamageLog, 'note'>
  /** The segment that is being written. */
  current(): { segment: number; file: FileHandle | undefined }
}

export const nameOf = (segment: number) => `${String(segment).padStart(10, '0')}.spool`
const isGone = (error: unknown) => errorCode(error) === 'ENOENT'

export function createSegmentReader({ folder, sizes, damage, current }: ReaderParts): SegmentReader {
  let reading: { segment: number; file: FileHandle } | undefined
  /** Deleted files. Their sizes still count as waiting. */
  const lost = new Set<number>()

  const fileOf = async (segment: number) => {
    const { segment: written, file } = current()
    if (segment === written && file !== undefined) return file
    if (reading?.segment !== segment) {
      await reading?.file.close()
      reading = undefined
      reading = { segment, file: await open(join(folder, nameOf(segment)), 'r') }
    }
    return reading.file
  }
  const window = createReadWindow(fileOf)

  const readAfter = (segment: number) => {
    const following = [...sizes.keys()].sort((a, b) => a - b).find((number) => number > segment)
    return following === undefined ? undefined : read({ segment: following, offset: 0 })
  }

  const read: SegmentReader['read'] = async (position) => {
    const { segment, offset } = position
    const size = sizes.get(segment)
    if (size === undefined || offset >= size || lost.has(segment)) return readAfter(segment)
    try {
      return (await findIn(position, size)) ?? readAfter(segment)
    } catch (error) {
      if (!isGone(error)) throw error
      lost.add(segment)
      damage.note({ segment, offset, bytes: size - offset, records: 1 })
      return readAfter(segment)
    }
  }

  const findIn = async ({ segment, offset }: Position, size: number) => {
    const bytesAt: BytesAt = (at, length) => window.bytesAt({ segment, offset: at, size }, length)
    const { found, damagedRecords } = await findWholeRecord(bytesAt, { offset, size })
    const end = found?.offset ?? size
    if (end > offset && (found !== undefined || !(await isTorn(bytesAt, { offset, size })))) {
      damage.note({ segment, offset, bytes: end - offset, records: damagedRecords })
    }
    return found && toStored(segment, found)
  }

  return {
    read,
    async knownIn(segment) {
      const size = sizes.get(segment) ?? 0
      try {
        return await readKnown((offset, length) => window.bytesAt({ segment, offset, size }, length), size)
      } catch (error) {
        if (!isGone(error)) throw error
        return []
      }
    },
    async close(segment) {
      if (segment !== undefined && reading?.segment !== segment) return
      await reading?.file.close()
      reading = undefined
    },
  }
}

function toStored(segment: number, { header, body, offset, size }: WholeRecord): StoredRecord {
  return { header, body, position: { segment, offset }, next: { segment, offset: offset + size } }
}

async function readKnown(bytesAt: BytesAt, size: number): Promise<KnownThing[]> {
  const known: KnownThing[] = []
  for (let offset = 0; offset < size; ) {
    const head = await bytesAt(offset, headerBytes)
    const header = head && decodeHeader(head)
    const idBytes = header === undefined ? 0 : bytesOfIds(header)
    const next = offset + headerBytes + (header?.bodyBytes ?? 0)
    if (header === undefined || next > size) {
      const { found } = await findWholeRecord(bytesAt, { offset, size })
      offset = found?.offset ?? size
      continue
    }
    const ids =
      idBytes === 0 ? Buffer.alloc(0) : await bytesAt(offset + headerBytes + header.viewsAt, idBytes)
    for (const each of knownIn(header, ids ?? Buffer.alloc(0))) known.push(each)
    offset = next
  }
  return known
}

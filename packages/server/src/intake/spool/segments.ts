// The files of the spool, numbered upwards and never reused. Records are appended to the last one. A damaged record is skipped
// and counted, what follows it is kept; a tail that a crash tore is cut.

import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivateFolder } from '../../data-folder/create-private-folder.ts'
import { isOutOfRoom } from '../../data-folder/disk-errors.ts'
import { syncFolder } from '../../data-folder/write-whole-file.ts'
import type { Log } from '../../services.ts'
import type { DamageLog } from './damage-log.ts'
import { type BytesAt, findWholeRecord, type WholeRecord } from './find-whole-record.ts'
import { isTorn } from './is-torn.ts'
import { createReadWindow } from './read-window.ts'
import {
  bytesOfIds,
  decodeHeader,
  headerBytes,
  type KnownThing,
  knownIn,
  type RecordHeader,
} from './record.ts'

/** The place of a record: a segment and a byte in it. */
export interface Position {
  segment: number
  offset: number
}

export function isBefore(one: Position, other: Position): boolean {
  return one.segment < other.segment || (one.segment === other.segment && one.offset < other.offset)
}

export interface StoredRecord {
  header: RecordHeader
  body: Buffer
  position: Position
  next: Position
}

export interface Segments {
  /** After the last record that is on disk for certain. */
  end(): Position
  /** Makes the records durable, together. Throws when it cannot; then none of them is there. */
  append(records: readonly Buffer[]): Promise<void>
  /** Begins a new segment unless the last one is empty: what came before goes as a file once it is shipped. */
  rotate(): Promise<void>
  /** The record at a position, or undefined at the end. */
  read(position: Position): Promise<StoredRecord | undefined>
  /** What the records of a segment that is complete are known by. */
  knownIn(segment: number): Promise<KnownThing[]>
  /** Those before a position, the oldest first. */
  complete(before: Position): number[]
  remove(segment: number): Promise<void>
  bytesFrom(position: Position): number
  close(): Promise<void>
}

const pattern = /^(\d{10})\.spool$/
const nameOf = (segment: number) => `${String(segment).padStart(10, '0')}.spool`

export interface SegmentOptions {
  folder: string
  /** No segment below has this number: of what was shipped before. */
  firstNumber: number
  segmentBytes: number
  damage: DamageLog
  log: Log
}

export async function openSegments({
  folder,
  firstNumber,
  segmentBytes,
  damage,
  log,
}: SegmentOptions): Promise<Segments> {
  await createPrivateFolder(folder)
  const sizes = new Map<number, number>()
  const found = await findNumbers(folder)
  const last = Math.max(0, ...found)
  for (const segment of found.sort((a, b) => a - b)) {
    const path = join(folder, nameOf(segment))
    sizes.set(segment, segment === last ? await cutTail(path, log) : (await stat(path)).size)
  }
  const firstSegment = Math.max(firstNumber, ...sizes.keys()) + 1
  // A disk without room gives no file now: it is begun with the first record that fits.
  let current: { segment: number; file: FileHandle | undefined; size: number } = await begin(
    firstSegment,
  ).catch((error: unknown) => {
    if (!isOutOfRoom(error)) throw error
    return { segment: firstSegment, file: undefined, size: 0 }
  })
  let reading: { segment: number; file: FileHandle } | undefined

  async function begin(segment: number) {
    const file = await beginFile(folder, segment)
    sizes.set(segment, 0)
    return { segment, file, size: 0 }
  }

  async function beginNext(): Promise<void> {
    const { segment, file } = current
    current = await begin(segment + 1)
    await file?.close()
  }

  /** Puts the file back to where it was. After a failed sync nobody knows what the disk has of it: another one is begun. */
  async function undo(isWritten: boolean): Promise<void> {
    if (current.file === undefined) return
    const isBack = await cutBack(current.file, current.size, log)
    if (isWritten || !isBack) await beginNext()
  }

  const fileOf = async (segment: number) => {
    if (segment === current.segment && current.file !== undefined) return current.file
    if (reading?.segment !== segment) {
      await reading?.file.close()
      reading = undefined
      reading = { segment, file: await open(join(folder, nameOf(segment)), 'r') }
    }
    return reading.file
  }

  const window = createReadWindow(fileOf)

  const segmentAfter = (segment: number) =>
    [...sizes.keys()].sort((a, b) => a - b).find((number) => number > segment)

  const read: Segments['read'] = async ({ segment, offset }) => {
    const size = sizes.get(segment)
    if (size === undefined || offset >= size) {
      const following = segmentAfter(segment)
      return following === undefined ? undefined : read({ segment: following, offset: 0 })
    }
    const bytesAt: BytesAt = (at, length) => window.bytesAt({ segment, offset: at, size }, length)
    const { found, damagedRecords } = await findWholeRecord(bytesAt, { offset, size })
    const end = found?.offset ?? size
    if (end > offset && (found !== undefined || !(await isTorn(bytesAt, { offset, size })))) {
      damage.note({ segment, offset, bytes: end - offset, records: damagedRecords })
    }
    if (found === undefined) return read({ segment, offset: size })
    return toStored(segment, found)
  }

  return {
    end: () => ({ segment: current.segment, offset: current.size }),
    async append(records) {
      if (current.file === undefined) current = await begin(current.segment)
      else if (current.size >= segmentBytes) await beginNext()
      let isWritten = false
      try {
        await writeAll(current.file, records, current.size)
        isWritten = true
        await current.file?.datasync()
      } catch (error) {
        await undo(isWritten)
        throw error
      }
      current.size += records.reduce((total, { length }) => total + length, 0)
      sizes.set(current.segment, current.size)
    },
    async rotate() {
      if (current.file !== undefined && current.size > 0) await beginNext()
    },
    read,
    async knownIn(segment) {
      const size = sizes.get(segment) ?? 0
      return readKnown((offset, length) => window.bytesAt({ segment, offset, size }, length), size)
    },
    complete: (before) =>
      [...sizes.keys()].filter((segment) => segment < before.segment).sort((a, b) => a - b),
    async remove(segment) {
      if (reading?.segment === segment) {
        await reading.file.close()
        reading = undefined
      }
      await rm(join(folder, nameOf(segment)), { force: true })
      sizes.delete(segment)
    },
    bytesFrom: (position) => countBytes(sizes, position),
    async close() {
      await reading?.file.close()
      await current.file?.close()
    },
  }
}

async function beginFile(folder: string, segment: number): Promise<FileHandle> {
  const path = join(folder, nameOf(segment))
  const file = await open(path, 'wx+', 0o600)
  try {
    await syncFolder(folder)
    return file
  } catch (error) {
    // One that is in the way could never be begun again.
    await file.close()
    await rm(path, { force: true })
    throw error
  }
}

function countBytes(sizes: ReadonlyMap<number, number>, from: Position): number {
  return [...sizes].reduce((total, [segment, size]) => {
    if (segment < from.segment) return total
    return total + size - (segment === from.segment ? Math.min(from.offset, size) : 0)
  }, 0)
}

async function cutBack(file: FileHandle, size: number, log: Log): Promise<boolean> {
  try {
    await file.truncate(size)
    return true
  } catch (error) {
    log.error({ err: error }, 'the spool could not be put back to its last whole record')
    return false
  }
}

async function findNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => pattern.exec(name)?.[1] ?? []).map(Number)
}

function toStored(segment: number, { header, body, offset, size }: WholeRecord): StoredRecord {
  return { header, body, position: { segment, offset }, next: { segment, offset: offset + size } }
}

/** Gives the size of the last file without what a crash tore: of that, nobody was told that it is kept. */
async function cutTail(path: string, log: Log): Promise<number> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const window = createReadWindow(async () => file)
    const bytesAt: BytesAt = (offset, length) => window.bytesAt({ segment: 0, offset, size }, length)
    let end = 0
    for (let at = 0; at < size; ) {
      const { found } = await findWholeRecord(bytesAt, { offset: at, size })
      if (found === undefined) break
      end = found.offset + found.size
      at = end
    }
    if (end === size || !(await isTorn(bytesAt, { offset: end, size }))) return size
    log.warn(
      { file: path, bytes: size - end },
      'the end of the spool was torn by a crash; nobody was told that it is kept',
    )
    await file.truncate(end)
    await file.sync()
    return end
  } finally {
    await file.close()
  }
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

async function writeAll(file: FileHandle | undefined, records: readonly Buffer[], at: number): Promise<void> {
  if (file === undefined) throw new Error('the last file of the spool is not begun')
  const total = records.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await file.writev([...records], at)
  if (bytesWritten === total) return
  const rest = Buffer.concat(records).subarray(bytesWritten)
  for (let written = 0; written < rest.length; ) {
    const more = await file.write(rest, written, rest.length - written, at + bytesWritten + written)
    written += more.bytesWritten
  }
}

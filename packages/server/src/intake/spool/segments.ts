// The files of the spool, numbered upwards and never reused. Records are appended to the last one; a tail that a crash tore
// is cut at the last whole record.

import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivateFolder } from '../../data-folder/create-private-folder.ts'
import { syncFolder } from '../../data-folder/write-whole-file.ts'
import type { Log } from '../../services.ts'
import { createReadWindow } from './read-window.ts'
import {
  bytesOfIds,
  decodeHeader,
  headerBytes,
  isWhole,
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
  log: Log
}

export async function openSegments({
  folder,
  firstNumber,
  segmentBytes,
  log,
}: SegmentOptions): Promise<Segments> {
  await createPrivateFolder(folder)
  const sizes = new Map<number, number>()
  const found = await findNumbers(folder)
  const last = Math.max(0, ...found)
  for (const segment of found.sort((a, b) => a - b)) {
    sizes.set(segment, await cutTail(join(folder, nameOf(segment)), { isLast: segment === last, log }))
  }
  let current = await begin(Math.max(firstNumber, ...sizes.keys()) + 1)
  let reading: { segment: number; file: FileHandle } | undefined

  async function begin(segment: number) {
    const path = join(folder, nameOf(segment))
    const file = await open(path, 'wx+', 0o600)
    try {
      await syncFolder(folder)
    } catch (error) {
      // One that is in the way could never be begun again.
      await file.close()
      await rm(path, { force: true })
      throw error
    }
    sizes.set(segment, 0)
    return { segment, file, size: 0 }
  }

  async function beginNext(): Promise<void> {
    const { segment, file } = current
    current = await begin(segment + 1)
    await file.close()
  }

  /** Puts the file back to where it was. After a failed sync nobody knows what the disk has of it: another one is begun. */
  async function undo(isWritten: boolean): Promise<void> {
    const isBack = await cutBack(current.file, current.size, log)
    if (isWritten || !isBack) await beginNext()
  }

  const fileOf = async (segment: number) => {
    if (segment === current.segment) return current.file
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
    const found = await window.read({ segment, offset, size })
    if (found === undefined) {
      // The disk changed what was written: what follows in this file has no beginning.
      log.error(
        { segment, offset, bytes: size - offset },
        'a file of the spool is damaged; its rest is skipped',
      )
      if (segment === current.segment) throw new Error('the last file of the spool is damaged')
      return read({ segment, offset: size })
    }
    return { ...found, position: { segment, offset }, next: { segment, offset: offset + found.size } }
  }

  return {
    end: () => ({ segment: current.segment, offset: current.size }),
    async append(records) {
      if (current.size >= segmentBytes) await beginNext()
      let isWritten = false
      try {
        await writeAll(current.file, records, current.size)
        isWritten = true
        await current.file.datasync()
      } catch (error) {
        await undo(isWritten)
        throw error
      }
      current.size += records.reduce((total, { length }) => total + length, 0)
      sizes.set(current.segment, current.size)
    },
    read,
    knownIn: async (segment) => readKnown(await fileOf(segment), sizes.get(segment) ?? 0),
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
    bytesFrom: (position) =>
      [...sizes].reduce((total, [segment, size]) => {
        if (segment < position.segment) return total
        return total + size - (segment === position.segment ? Math.min(position.offset, size) : 0)
      }, 0),
    async close() {
      await reading?.file.close()
      await current.file.close()
    },
  }
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

/** Gives the size of what is whole. Only the last file was being written: of the others, headers are enough. */
async function cutTail(path: string, { isLast, log }: { isLast: boolean; log: Log }): Promise<number> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    let offset = 0
    while (offset < size) {
      const header = await readHeader(file, offset)
      const next = offset + headerBytes + (header?.bodyBytes ?? 0)
      if (header === undefined || next > size) break
      if (isLast && (await readRecord(file, offset, size)) === undefined) break
      offset = next
    }
    if (offset === size) return size
    const rest = size - offset
    log.warn(
      { file: path, bytes: rest },
      'the end of the spool was torn by a crash; nobody was told that it is kept',
    )
    await file.truncate(offset)
    await file.sync()
    return offset
  } finally {
    await file.close()
  }
}

async function readHeader(file: FileHandle, offset: number): Promise<RecordHeader | undefined> {
  const bytes = Buffer.alloc(headerBytes)
  const { bytesRead } = await file.read(bytes, 0, headerBytes, offset)
  return bytesRead < headerBytes ? undefined : decodeHeader(bytes)
}

async function readKnown(file: FileHandle, end: number): Promise<KnownThing[]> {
  const known: KnownThing[] = []
  for (let offset = 0; offset < end; ) {
    const header = await readHeader(file, offset)
    if (header === undefined) break
    const ids = Buffer.alloc(bytesOfIds(header))
    if (ids.length > 0) await file.read(ids, 0, ids.length, offset + headerBytes + header.viewsAt)
    for (const each of knownIn(header, ids)) known.push(each)
    offset += headerBytes + header.bodyBytes
  }
  return known
}

async function readRecord(file: FileHandle, offset: number, end: number) {
  const header = await readHeader(file, offset)
  if (header === undefined) return undefined
  const size = headerBytes + header.bodyBytes
  if (offset + size > end) return undefined
  const record = Buffer.allocUnsafe(size)
  const { bytesRead } = await file.read(record, 0, size, offset)
  return bytesRead === size && isWhole(record)
    ? { header, body: record.subarray(headerBytes), size }
    : undefined
}

async function writeAll(file: FileHandle, records: readonly Buffer[], at: number): Promise<void> {
  const total = records.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await file.writev([...records], at)
  if (bytesWritten === total) return
  const rest = Buffer.concat(records).subarray(bytesWritten)
  for (let written = 0; written < rest.length; ) {
    const more = await file.write(rest, written, rest.length - written, at + bytesWritten + written)
    written += more.bytesWritten
  }
}

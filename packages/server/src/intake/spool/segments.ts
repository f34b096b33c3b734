// The files of the spool, numbered upwards and never reused. Records are appended to the last one. A damaged record is
// skipped and counted, and what follows is kept; an incomplete tail after a crash is cut off.

import { fstatSync } from 'node:fs'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createPrivateFolder } from '../../platform/data-folder/create-private-folder.ts'
import { isOutOfRoom } from '../../platform/data-folder/disk-errors.ts'
import { syncFolder } from '../../platform/data-folder/write-whole-file.ts'
import type { Log } from '../../platform/process/log.ts'
import type { DamageLog } from './damage-log.ts'
import { type BytesAt, findWholeRecord } from './find-whole-record.ts'
import { isTorn } from './is-torn.ts'
import type { Position } from './position.ts'
import { createReadWindow } from './read-window.ts'
import type { KnownThing } from './record.ts'
import { createSegmentReader, nameOf, type StoredRecord } from './segment-reader.ts'

interface CurrentSegment {
  segment: number
  file: FileHandle | undefined
  size: number
}

export interface Segments {
  /** After the last record that is durable. */
  end(): Position
  /** Makes the records durable together. Throws on failure; then none of them is stored. */
  append(records: readonly Buffer[]): Promise<void>
  /** Begins a new segment unless the last one is empty: the previous ones are deleted once they are shipped. */
  rotate(): Promise<void>
  /** The record at a position, or undefined at the end. */
  read(position: Position): Promise<StoredRecord | undefined>
  /** The IDs of the records in a complete segment. */
  knownIn(segment: number): Promise<KnownThing[]>
  /** Those before a position, the oldest first. */
  complete(before: Position): number[]
  remove(segment: number): Promise<void>
  bytesFrom(position: Position): number
  /** Undefined when there is no such file. */
  sizeOf(segment: number): number | undefined
  close(): Promise<void>
}

const pattern = /^(\d{10})\.spool$/

interface SegmentOptions {
  folder: string
  /** New segments get at least this number, because lower ones were already shipped. */
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
  // A full disk cannot create a file now: it is created with the first record that fits.
  let current: CurrentSegment = await begin(firstSegment).catch((error: unknown) => {
    if (!isOutOfRoom(error)) throw error
    return { segment: firstSegment, file: undefined, size: 0 }
  })

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

  /**
   * Truncates the file to its previous size. After a failed sync its state on disk is unknown, so a new one is begun.
   */
  async function undo(isWritten: boolean): Promise<void> {
    if (current.file === undefined) return
    const isBack = await cutBack(current.file, current.size, log)
    if (isWritten || !isBack) await beginNext()
  }

  const reader = createSegmentReader({ folder, sizes, damage, current: () => current })

  return {
    end: () => ({ segment: current.segment, offset: current.size }),
    async append(records) {
      if (current.file === undefined) current = await begin(current.segment)
      else if (current.size >= segmentBytes) await beginNext()
      current = await putBack(folder, current, log)
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
    read: reader.read,
    knownIn: reader.knownIn,
    complete: (before) =>
      [...sizes.keys()].filter((segment) => segment < before.segment).sort((a, b) => a - b),
    async remove(segment) {
      await reader.close(segment)
      await rm(join(folder, nameOf(segment)), { force: true })
      sizes.delete(segment)
    },
    bytesFrom: (position) => countBytes(sizes, position),
    sizeOf: (segment) => sizes.get(segment),
    async close() {
      await reader.close()
      await current.file?.close()
    },
  }
}

/** The current file was deleted: its contents are copied back while they can still be read. */
async function putBack(folder: string, current: CurrentSegment, log: Log): Promise<CurrentSegment> {
  const { segment, file: deleted, size } = current
  // Of an open file this is in memory: asking another thread takes ten times as long.
  if (deleted === undefined || fstatSync(deleted.fd).nlink > 0) return current
  log.error({ segment }, 'a file of the spool was deleted while it was written: it is put back')
  const bytes = Buffer.alloc(size)
  await deleted.read(bytes, 0, size, 0)
  await createPrivateFolder(folder)
  const file = await beginFile(folder, segment)
  try {
    await writeAll(file, [bytes], 0)
    await file.datasync()
  } catch (error) {
    await file.close()
    await rm(join(folder, nameOf(segment)), { force: true })
    throw error
  }
  await deleted.close()
  return { segment, file, size }
}

async function beginFile(folder: string, segment: number): Promise<FileHandle> {
  const path = join(folder, nameOf(segment))
  const file = await open(path, 'wx+', 0o600)
  try {
    await syncFolder(folder)
    return file
  } catch (error) {
    // A file that is in the way could never be replaced.
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
    log.error({ err: error }, 'the spool could not be truncated to its last complete record')
    return false
  }
}

async function findNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder)
  return names.flatMap((name) => pattern.exec(name)?.[1] ?? []).map(Number)
}

/** Returns the size of the last file without an incomplete tail, which was never acknowledged. */
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
      'the end of the spool was torn by a crash; it had not been acknowledged',
    )
    await file.truncate(end)
    await file.sync()
    return end
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle | undefined, records: readonly Buffer[], at: number): Promise<void> {
  if (file === undefined) throw new Error('the last spool file is not started')
  const total = records.reduce((sum, { length }) => sum + length, 0)
  const { bytesWritten } = await file.writev([...records], at)
  if (bytesWritten === total) return
  const rest = Buffer.concat(records).subarray(bytesWritten)
  for (let written = 0; written < rest.length; ) {
    const more = await file.write(rest, written, rest.length - written, at + bytesWritten + written)
    written += more.bytesWritten
  }
}

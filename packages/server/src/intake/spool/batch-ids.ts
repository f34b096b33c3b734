// Which batches arrived in the last 48 hours. IDs of the current and the previous hour are in memory, older ones in a
// sorted file per hour that is read only for batches of that age. Rebuilt exactly after a crash: an ID is in the spool
// until it is in the log of its hour. A clock that jumps forward and back does no harm: an hour that was written to a
// file too early accepts more IDs, and is searched for young batches as well.

import { type FileHandle, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import { createPrivateFolder } from '../../platform/data-folder/create-private-folder.ts'
import { syncFolder, writeWholeFile } from '../../platform/data-folder/write-whole-file.ts'
import type { Log } from '../../platform/process/log.ts'
import type { IdHash } from './id-bytes.ts'
import { bytesPerId, createIdTable, type IdTable } from './id-table.ts'

export interface SeenId {
  id: IdHash
  receivedAt: number
}

export interface BatchIds {
  add(seen: SeenId): void
  /** Looks up the ID in memory only. */
  isKnown(id: IdHash): boolean
  /**
   * Looks up older hours too, for a batch created then; its creation time is undefined when the client does not send
   * one.
   */
  isKnownOfOld(id: IdHash, madeAt: number | undefined): Promise<boolean>
  /** Makes IDs durable outside the spool, which deletes them next. */
  keep(seen: readonly SeenId[]): Promise<void>
  /** Moves past hours from memory to files, and deletes the oldest. */
  tidy(): Promise<void>
}

const hour = 3_600_000
const hoursInMemory = 2
/** Tolerate clock skew: a batch this old may have first arrived in a past hour. */
const recent = hour - 600_000
const windowHours = limits.batchIdWindow / hour + 1

/** `seen`: the IDs that are still in the spool. */
export async function openBatchIds(
  folder: string,
  { seen, now, log }: { seen: Iterable<SeenId>; now: () => number; log: Pick<Log, 'error'> },
): Promise<BatchIds> {
  await createPrivateFolder(folder)
  const inMemory = new Map<number, IdTable>()
  const inFiles = new Set<number>()
  const logOf = (hourNumber: number) => join(folder, `${hourNumber}.log`)
  const fileOf = (hourNumber: number) => join(folder, `${hourNumber}.ids`)
  const hourOf = (at: number) => Math.floor(at / hour)
  const tableOf = (hourNumber: number) => {
    const table = inMemory.get(hourNumber) ?? createIdTable()
    inMemory.set(hourNumber, table)
    return table
  }
  const add = ({ id, receivedAt }: SeenId) => tableOf(hourOf(receivedAt)).add(id)
  const isKnownInFile = async (hourNumber: number, id: IdHash) => {
    try {
      if (!inFiles.has(hourNumber)) return false
      return await isInFile(fileOf(hourNumber), id)
    } catch (error) {
      // Batches of that hour may be stored twice, which is better than refusing all batches.
      inFiles.delete(hourNumber)
      log.error({ err: error }, 'ids of batches of an earlier hour cannot be read')
      return false
    }
  }

  const names = await readdir(folder)
  for (const name of names) {
    const [, hourNumber, kind] = /^(\d+)\.(ids|log)$/.exec(name) ?? []
    if (kind === 'ids') inFiles.add(Number(hourNumber))
    // A file that was being written during a crash.
    if (kind === undefined) await rm(join(folder, name), { force: true })
  }
  for (const name of names.filter((each) => each.endsWith('.log'))) {
    addAll(tableOf(Number(name.slice(0, -4))), await readFile(join(folder, name)))
  }
  for (const each of seen) if (!(await isKnownInFile(hourOf(each.receivedAt), each.id))) add(each)

  return {
    add,
    isKnown: (id) => [...inMemory.values()].some((table) => table.has(id)),
    async isKnownOfOld(id, madeAt) {
      const isRecent = madeAt !== undefined && madeAt > now() - recent
      const first = isRecent ? hourOf(now()) - hoursInMemory + 1 : hourOf(madeAt ?? 0) - 1
      const oldest = hourOf(now()) - windowHours
      for (const hourNumber of inFiles) {
        if (hourNumber >= Math.max(first, oldest) && (await isKnownInFile(hourNumber, id))) return true
      }
      return false
    },
    async keep(seenIds) {
      if (seenIds.length === 0) return
      const byHour = new Map<number, Buffer[]>()
      await createPrivateFolder(folder)
      for (const { id, receivedAt } of seenIds) {
        const hourNumber = hourOf(receivedAt)
        if (inFiles.has(hourNumber) && (await isKnownInFile(hourNumber, id))) continue
        const ids = byHour.get(hourNumber)
        if (ids === undefined) byHour.set(hourNumber, [toBytes(id)])
        else ids.push(toBytes(id))
      }
      for (const [hourNumber, ids] of byHour) await appendTo(logOf(hourNumber), Buffer.concat(ids))
      if (byHour.size > 0) await syncFolder(folder)
    },
    async tidy() {
      const current = hourOf(now())
      for (const [hourNumber, table] of inMemory) {
        if (hourNumber > current - hoursInMemory) continue
        if (inFiles.has(hourNumber)) addAll(table, await readFile(fileOf(hourNumber)).catch(nothing))
        await createPrivateFolder(folder)
        await writeWholeFile(fileOf(hourNumber), table.sorted())
        inFiles.add(hourNumber)
        inMemory.delete(hourNumber)
        await rm(logOf(hourNumber), { force: true })
      }
      // The newest hours are kept whatever the clock: a jump ahead does not delete them.
      const oldest = [...inFiles].sort((one, other) => other - one).slice(windowHours)
      for (const hourNumber of oldest) {
        if (hourNumber >= current - windowHours) continue
        await rm(fileOf(hourNumber), { force: true })
        inFiles.delete(hourNumber)
      }
    },
  }
}

const nothing = () => Buffer.alloc(0)

function toBytes({ high, low }: IdHash): Buffer {
  const bytes = Buffer.allocUnsafe(bytesPerId)
  bytes.writeUInt32BE(high, 0)
  bytes.writeUInt32BE(low, 4)
  return bytes
}

function addAll(table: IdTable, bytes: Buffer): void {
  // A crash may have cut off the last ID: it is still in the spool.
  for (let at = 0; at + bytesPerId <= bytes.length; at += bytesPerId) {
    table.add({ high: bytes.readUInt32BE(at), low: bytes.readUInt32BE(at + 4) })
  }
}

/** Removes an incomplete ID at the end first: IDs are at multiples of their length. */
async function appendTo(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    if (size % bytesPerId !== 0) await file.truncate(size - (size % bytesPerId))
    await file.appendFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

const blockIds = 512

/** Hashes are evenly distributed, so the position can be estimated to within a block or two. */
async function isInFile(path: string, { high, low }: IdHash): Promise<boolean> {
  const wanted = (BigInt(high) << 32n) | BigInt(low)
  const file = await open(path, 'r')
  try {
    const count = Math.floor((await file.stat()).size / bytesPerId)
    let [first, end] = [0, count]
    let guess = Math.floor((high / 2 ** 32) * count) - blockIds / 2
    while (first < end) {
      const start = Math.max(first, Math.min(guess, end - blockIds))
      const ids = await readIds(file, start, Math.min(blockIds, end - start))
      if (ids.includes(wanted)) return true
      const [least, most] = [ids[0] ?? 0n, ids.at(-1) ?? 0n]
      if (wanted > least && wanted < most) return false
      if (wanted < least) end = start
      else first = start + ids.length
      guess = Math.floor((first + end) / 2) - blockIds / 2
    }
    return false
  } finally {
    await file.close()
  }
}

async function readIds(file: FileHandle, start: number, count: number): Promise<bigint[]> {
  const bytes = Buffer.alloc(count * bytesPerId)
  await file.read(bytes, 0, bytes.length, start * bytesPerId)
  return Array.from({ length: count }, (_, index) => bytes.readBigUInt64BE(index * bytesPerId))
}

// One server per data folder. The lock identifies its holder exactly, so that a lock left by a killed server is
// distinguished from a held one and taken over, by only one of several servers that start at once.
import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPrivateFolder } from './create-private-folder.ts'
import { isOutOfRoom } from './disk-errors.ts'
import { errorCode } from './error-code.ts'
import { dataPaths } from './paths.ts'
import { findRealm, findStart } from './process-identity.ts'

/** How often a holder touches its lock, for starters that cannot see its pid: those in another container. */
const heartbeat = 2_000
/** A lock from another container that is older than this is stale: five heartbeats were missed. */
const silence = 10_000
/** A takeover is three file operations; a starter waits this long for another's takeover before it gives up. */
const takeoverLimit = 10_000
const takeoverPause = 10

export type DataFolderLock = { release(): Promise<void> }

type Holder = { id: string; pid: number; startedAt: string; realm: string }
type Claim = { holder: Holder; folder: string; file: string; handle: FileHandle }

export class DataFolderInUse extends Error {
  override name = 'DataFolderInUse'
  readonly pid: number
  readonly folder: string

  constructor(folder: string, pid: number) {
    super(
      `The data folder ${folder} is in use by the server with process id ${pid}. ` +
        'Stop that server first, or set another data folder (TELLTALE_DATA).',
    )
    this.folder = folder
    this.pid = pid
  }
}

export async function lockDataFolder(folder: string): Promise<DataFolderLock> {
  const absolute = resolve(folder)
  await createPrivateFolder(absolute)
  const { lock } = dataPaths(absolute)

  const claim = await createClaim(absolute, lock)
  try {
    await acquire(lock, claim)
  } catch (error) {
    await claim.handle.close()
    throw error
  } finally {
    await rm(claim.file, { force: true })
  }
  return hold(lock, claim)
}

/** The claim is complete on disk before it is linked to the lock's name, so the lock is never read half-written. */
async function createClaim(folder: string, lock: string): Promise<Claim> {
  const startedAt = (await findStart(process.pid)) ?? ''
  const holder = { id: randomUUID(), pid: process.pid, startedAt, realm: await findRealm() }
  const file = `${lock}.${holder.id}`
  const handle = await open(file, 'wx', 0o600)
  const claim = { holder, folder, file, handle }
  try {
    await handle.write(toText(holder), 0)
    await handle.sync()
    return claim
  } catch (error) {
    await handle.close()
    await rm(file, { force: true })
    if (!isOutOfRoom(error)) throw error
    return reuseStale(lock, claim, error)
  }
}

/**
 * On a full disk, the lock of a killed server occupies the space that this one needs. The second name for it is also
 * a lock, and takes no space: only one of several starters takes the file.
 */
async function reuseStale(lock: string, claim: Claim, full: unknown): Promise<Claim> {
  const reuse = `${lock}.reuse`
  const old = await readHolder(reuse)
  if (old !== 'gone' && !(await isHolding(old))) await rm(reuse, { force: true })
  try {
    await link(lock, reuse)
  } catch {
    // There is no lock whose space could be reused, or another starter is using it.
    throw full
  }
  try {
    const holder = await readHolder(lock)
    if (holder === 'gone') throw full
    if (holder !== 'unreadable' && (await isHeld(lock, holder, claim))) {
      throw new DataFolderInUse(claim.folder, holder.pid)
    }
    await rename(lock, claim.file)
    const handle = await open(claim.file, 'r+')
    const text = toText(claim.holder)
    await handle.write(text, 0)
    await handle.truncate(Buffer.byteLength(text))
    return { ...claim, handle }
  } finally {
    await rm(reuse, { force: true })
  }
}

/** Best guess without waiting: on this machine, and running. */
async function isHolding(holder: Holder | 'unreadable'): Promise<boolean> {
  if (holder === 'unreadable' || holder.realm !== (await findRealm())) return false
  return (await findStart(holder.pid)) === holder.startedAt
}

async function acquire(lock: string, claim: Claim): Promise<void> {
  for (;;) {
    if (await linkUnlessTaken(claim.file, lock)) return

    const holder = await readHolder(lock)
    if (holder === 'gone') continue
    if (holder !== 'unreadable' && (await isHeld(lock, holder, claim))) {
      throw new DataFolderInUse(claim.folder, holder.pid)
    }
    await removeStale(lock, holder, claim)
  }
}

/**
 * Only the holder of the takeover lock removes a stale lock, and only after reading it again: another starter may
 * have replaced it after the first read. The takeover lock can also become stale, hence the recursion.
 */
async function removeStale(lock: string, judged: Holder | 'unreadable', claim: Claim): Promise<void> {
  const takeover = `${lock}.takeover`
  await acquireSoon(takeover, claim)
  try {
    const found = await readHolder(lock)
    if (found !== 'gone' && idOf(found) === idOf(judged)) await unlink(lock)
  } finally {
    await unlink(takeover)
  }
}

async function acquireSoon(takeover: string, claim: Claim): Promise<void> {
  const deadline = performance.now() + takeoverLimit
  for (;;) {
    try {
      return await acquire(takeover, claim)
    } catch (error) {
      if (!(error instanceof DataFolderInUse) || performance.now() > deadline) throw error
      await pause(takeoverPause)
    }
  }
}

async function isHeld(lock: string, holder: Holder, claim: Claim): Promise<boolean> {
  if (holder.realm === claim.holder.realm) return (await findStart(holder.pid)) === holder.startedAt
  return isBeating(lock, holder, claim)
}

/** Both times are from the folder's file system, so clock differences do not matter. */
async function isBeating(lock: string, holder: Holder, claim: Claim): Promise<boolean> {
  const first = await lastBeat(lock)
  for (;;) {
    const beat = await lastBeat(lock)
    const current = await readHolder(lock)
    if (beat === undefined || current === 'gone' || idOf(current) !== holder.id) return false
    if (beat !== first) return true

    // On a full disk the file system's clock is unavailable: use this machine's.
    const isBeaten = await writeBeat(claim).then(
      () => true,
      () => false,
    )
    const now = isBeaten ? (await claim.handle.stat()).mtimeMs : Date.now()
    if (now - beat > silence) return false
    await pause(heartbeat / 4)
  }
}

async function lastBeat(lock: string): Promise<number | undefined> {
  const found = await stat(lock).catch(() => undefined)
  return found?.mtimeMs
}

async function writeBeat(claim: Claim): Promise<void> {
  await claim.handle.write(toText(claim.holder), 0)
}

function hold(lock: string, claim: Claim): DataFolderLock {
  // A missed heartbeat (full disk) only matters to a starter in another container, and the next one follows.
  const beats = setInterval(() => void beat().catch(() => undefined), heartbeat)
  beats.unref()
  const beat = async () => {
    await putBack(lock, claim)
    await writeBeat(claim)
  }

  let released: Promise<void> | undefined
  const release = async () => {
    clearInterval(beats)
    const found = await readHolder(lock)
    if (found !== 'gone' && idOf(found) === claim.holder.id) await unlink(lock)
    await claim.handle.close()
  }
  return {
    release() {
      released ??= release()
      return released
    },
  }
}

/** The lock file was deleted: recreate it before another server considers the folder free. */
async function putBack(lock: string, claim: Claim): Promise<void> {
  if ((await claim.handle.stat()).nlink > 0) return
  const { handle: deleted } = claim
  const made = await open(claim.file, 'wx', 0o600)
  try {
    await made.write(toText(claim.holder), 0)
    if (!(await linkUnlessTaken(claim.file, lock))) return await made.close()
    claim.handle = made
    await deleted.close()
  } finally {
    await rm(claim.file, { force: true })
  }
}

async function linkUnlessTaken(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

async function readHolder(lock: string): Promise<Holder | 'gone' | 'unreadable'> {
  try {
    return fromText(await readFile(lock, 'utf8'))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone'
    throw error
  }
}

const toText = (holder: Holder) => `${[holder.pid, holder.startedAt, holder.realm, holder.id].join('\n')}\n`

/** A lock emptied by a power failure has no holder: it is stale. */
function fromText(text: string): Holder | 'unreadable' {
  const [pid, startedAt, realm, id] = text.split('\n')
  if (!Number(pid) || startedAt === undefined || realm === undefined || !id) return 'unreadable'
  return { pid: Number(pid), startedAt, realm, id }
}

const idOf = (holder: Holder | 'unreadable') => (holder === 'unreadable' ? holder : holder.id)

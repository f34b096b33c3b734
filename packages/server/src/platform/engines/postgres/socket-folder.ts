// The private folder of PostgreSQL's socket. It is not in the data folder, because a socket's path is limited to 107
// bytes (103 on macOS), and a data folder's is not.
import { chown, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../data-folder/error-code.ts'
import type { RunUser } from './run-program.ts'
import { canWrite, isRoot } from './run-user.ts'

export const socketPort = 5432
const socketName = `.s.PGSQL.${socketPort}`
const longestSocketPathBytes = 103
const prefix = 'telltale-'
const ownName = /^telltale-[A-Za-z0-9]{6}$/

export async function createSocketFolder(user: RunUser | undefined): Promise<string> {
  const refused: string[] = []
  for (const base of candidates()) {
    const folder = await tryCreate(base, user)
    if (folder !== undefined) return folder
    refused.push(base)
  }
  throw new Error(
    `PostgreSQL's socket needs a folder with a short path that can be written: tried ${refused.join(', ')}`,
  )
}

/** It may have been cleaned up while PostgreSQL was down. */
export async function restoreSocketFolder(folder: string, user: RunUser | undefined): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 })
    if (user !== undefined) await chown(folder, user.uid, user.gid)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Only removes a folder that this module can have created, whatever a postmaster.pid contains. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (!ownName.test(basename(folder)) || !candidates().includes(dirname(folder))) return
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory() || !isOwner(found.uid)) return

  const names = await readdir(folder)
  if (names.every((name) => name === socketName || name === `${socketName}.lock`)) {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Root's server also removes the folder of a cluster that an ordinary user owns. */
const isOwner = (uid: number) => isRoot() || uid === process.getuid?.()

function candidates(): string[] {
  const preferred = isRoot() ? '/run' : process.env.XDG_RUNTIME_DIR
  return [...new Set([...(preferred ? [preferred] : []), tmpdir(), '/tmp'])]
}

async function tryCreate(base: string, user: RunUser | undefined): Promise<string | undefined> {
  const longest = Buffer.byteLength(join(base, `${prefix}XXXXXX`, `${socketName}.lock`))
  // PostgreSQL parses the setting as a list.
  if (longest > longestSocketPathBytes || /[",]/.test(base)) return undefined

  const folder = await mkdtemp(join(base, prefix)).catch(() => undefined)
  if (folder === undefined || user === undefined) return folder
  await chown(folder, user.uid, user.gid)
  if (await canWrite(user, folder)) return folder
  await rm(folder, { recursive: true })
  return undefined
}

// Visits everything below a folder, to change owners and modes.
import type { Dirent } from 'node:fs'
import { chmod, lchown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunUser } from './run-program.ts'

const openFolder = 0o755
const openProgram = 0o755
const openFile = 0o644
const anyoneRuns = 0o111

async function listTree(folder: string): Promise<Dirent[]> {
  return readdir(folder, { recursive: true, withFileTypes: true })
}

export async function giveTree(folder: string, user: RunUser): Promise<void> {
  const entries = await listTree(folder)
  await Promise.all(entries.map((entry) => lchown(join(entry.parentPath, entry.name), user.uid, user.gid)))
  await lchown(folder, user.uid, user.gid)
}

/** Everyone may read, and execute what was executable: under a strict umask an installation is not readable. */
export async function openTree(folder: string): Promise<void> {
  for (const entry of await listTree(folder)) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(path, openFolder)
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & anyoneRuns ? openProgram : openFile)
  }
  await chmod(folder, openFolder)
}

// What the tests write lies in memory where there is room for it: with several workers, most of their time was waiting for the
// disk. Nobody pulls the plug here, and a process that is killed leaves its files in memory as it does on a disk.

import { chmod, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'telltale-tests-'
/** What two engines and the folders of three workers hold at once is a fraction of it. */
const roomBytes = 4 * 1024 ** 3

const folder = join(memory, `${prefix}${process.pid}`)

/** Whether the temporary folder of this process, and of those that it starts, is in memory. */
export const isInMemory = () => process.env.TMPDIR?.startsWith(join(memory, prefix)) ?? false

export async function setup(): Promise<void> {
  if (!(await isUsable())) return

  await removeLeftovers()
  await mkdir(folder)
  // PostgreSQL's user passes through.
  await chmod(folder, 0o755)
  process.env.TMPDIR = folder
}

export const teardown = () => rm(folder, { recursive: true, force: true })

/** Also from there a program is started, which a container may forbid. */
async function isUsable(): Promise<boolean> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '')
  const options = mounts
    .split('\n')
    .findLast((line) => line.split(' ')[1] === memory)
    ?.split(' ')[3]
  if (options === undefined || options.split(',').some((option) => option === 'noexec' || option === 'ro'))
    return false

  const { bavail, bsize } = await statfs(memory)
  return bavail * bsize >= roomBytes
}

/** Of runs that were killed: memory is not given back by itself. */
async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(memory)) {
    if (!name.startsWith(prefix) || isRunning(Number(name.slice(prefix.length)))) continue
    await rm(join(memory, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

// Free space on the disk of the data folder.
import { statfs } from 'node:fs/promises'
import { limits } from '@telltale/core/limits'

const mebibyte = 1_024 * 1_024

/** A warning for the operator; nothing while there is enough space. */
export async function findLackOfRoom(folder: string): Promise<string | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    const freeBytes = bavail * bsize
    if (freeBytes >= limits.diskFree) return undefined
    const size = (bytes: number) => `${Math.floor(bytes / mebibyte)} MB`
    return `the disk of the data folder is full: ${size(freeBytes)} of ${size(blocks * bsize)} are free in ${folder}. Free some space: the server recovers automatically`
  } catch (error) {
    return `the data folder ${folder} can't be read: ${error instanceof Error ? error.message : String(error)}`
  }
}

// Delivery's files on disk, so that flags are served while PostgreSQL is unavailable. A corrupted file is ignored:
// serving no flag is better than serving a wrong value.

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readWithChecksum, withChecksum } from './checked-lines.ts'
import { createPrivateFolder } from './create-private-folder.ts'
import { listFolder } from './list-folder.ts'
import { dataPaths } from './paths.ts'
import { writeWholeFile } from './write-whole-file.ts'

export interface StoredFiles {
  write(name: string, text: string | Uint8Array): Promise<void>
  /** The value, or undefined when there is no readable one. */
  read(name: string): Promise<unknown>
  list(): Promise<string[]>
}

export function storedFiles(dataFolder: string): StoredFiles {
  const folder = dataPaths(dataFolder).delivery
  return {
    async write(name, text) {
      await createPrivateFolder(folder)
      await writeWholeFile(join(folder, name), withChecksum(text))
    },
    async read(name) {
      try {
        return readWithChecksum(await readFile(join(folder, name), 'utf8'))
      } catch {
        return undefined
      }
    },
    async list() {
      return (await listFolder(folder)).filter((name) => name.endsWith('.json'))
    },
  }
}

/** Left by a crash during a write. Nothing would replace the file, and an erasure would not find it. */
export async function removeUnfinishedFiles(dataFolder: string): Promise<void> {
  const folder = dataPaths(dataFolder).delivery
  const unfinished = (await listFolder(folder)).filter((name) => isUnfinished.test(name))
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })))
}

const isUnfinished = /\.json\.[\da-f-]{36}$/

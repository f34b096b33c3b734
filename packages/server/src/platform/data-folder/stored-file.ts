// What delivery keeps on disk, so that flags are served while PostgreSQL is away. A file that the disk changed is none: better
// no flag than another value of it.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readWithChecksum, withChecksum } from './checked-lines.ts'
import { createPrivateFolder } from './create-private-folder.ts'
import { dataPaths } from './paths.ts'
import { writeWholeFile } from './write-whole-file.ts'

export interface StoredFiles {
  write(name: string, text: string | Uint8Array): Promise<void>
  /** The value, or undefined when there is none that can be read. */
  read(name: string): Promise<unknown>
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
  }
}

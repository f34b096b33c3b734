import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of this package, both from source and from the bundle. */
export const ownFolder = findOwnFolder(dirname(fileURLToPath(import.meta.url)))

function findOwnFolder(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : findOwnFolder(dirname(folder))
}

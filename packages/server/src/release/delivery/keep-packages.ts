// Keeps the packages of earlier builds available at their URLs: the lock file of an application contains the
// URL and checksum of one build, and `npm ci` must find exactly that build after the server was upgraded or
// rebuilt.

import { createHash } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../platform/process/log.ts'

export const packageName = /^telltale-[a-z]+-\d+\.\d+\.\d+(-[a-z0-9.]+)?\.tgz$/

/** A name that is unique to this content. */
export function exactName(name: string, content: Buffer): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return name.replace(/\.tgz$/, `-${hash}.tgz`)
}

/** Copies the packages of this build into the folder of all builds. If the disk is full, they are still served. */
export function keepPackages(folder: string, { from, log }: { from: readonly string[]; log: Log }): void {
  try {
    mkdirSync(folder, { recursive: true })
    for (const source of from.filter(existsSync)) {
      for (const name of readdirSync(source).filter((each) => packageName.test(each))) {
        const target = join(folder, exactName(name, readFileSync(join(source, name))))
        if (!existsSync(target)) copyFileSync(join(source, name), target, constants.COPYFILE_EXCL)
      }
    }
  } catch (error) {
    log.warn({ err: error }, 'the packages of this version could not be stored')
  }
}

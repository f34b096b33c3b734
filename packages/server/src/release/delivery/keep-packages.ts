// Packages that npm installed by URL stay where they were: the lock file of an application names the address and the checksum of
// one build, and `npm ci` has to find exactly that after this server was upgraded, or built again from other sources.

import { createHash } from 'node:crypto'
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../platform/process/log.ts'

export const packageName = /^telltale-[a-z]+-\d+\.\d+\.\d+(-[a-z0-9.]+)?\.tgz$/

/** The name that only this content has. */
export function exactName(name: string, content: Buffer): string {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return name.replace(/\.tgz$/, `-${hash}.tgz`)
}

/** Copies those of this build into the folder that holds all of them. Without room they are served all the same. */
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

// The packages of the applications, which only this test installs.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const stamp = join(folder, 'node_modules/.installed')

/** Unless it was done for this lock file. */
export function installPackages(): void {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  execFileSync('npm', args, { cwd: folder, stdio: 'pipe' })
  writeFileSync(stamp, lock)
}

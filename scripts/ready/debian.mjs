import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { run } from './run.mjs'
import { say, seconds } from './say.mjs'

// On Debian, an ordinary user's PATH lacks /usr/sbin, which contains nginx.
const systemFolders = ['/usr/local/sbin', '/usr/sbin', '/sbin']

export function findBinary(...names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...systemFolders].filter(Boolean)
  for (const name of names) {
    for (const folder of folders) {
      if (isExecutable(join(folder, name))) return join(folder, name)
    }
  }
  return undefined
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The path of the binary. Installs its Debian package if it is missing and permissions allow; otherwise returns
 * undefined.
 */
export async function ensureDebian(packageName, ...binaries) {
  const found = findBinary(...binaries)
  if (found) return found

  const prefix = await findRootPrefix()
  if (!prefix || !existsSync('/usr/bin/apt-get')) return undefined

  say(`installing the Debian package ${packageName}`)
  const begun = performance.now()
  const installed = await aptGet(prefix, ['install', '-y', '--no-install-recommends', packageName])
  if (!installed) return undefined
  say(`installed ${packageName} in ${seconds(begun)}`)
  return findBinary(...binaries)
}

async function aptGet(prefix, install) {
  const options = { quiet: true, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  // A stale package list is the usual reason for a failure; without a network both fail quickly.
  for (const args of [['update'], install]) {
    const [command, ...rest] = [...prefix, 'apt-get', '-o', 'DPkg::Lock::Timeout=120', ...args]
    const { code, output } = await run(command, rest, options)
    if (code !== 0 && args === install) {
      say(`apt-get ${args.join(' ')} failed: ${output.trim().split('\n').at(-1)}`)
      return false
    }
  }
  return true
}

/** [] as root, ['sudo', '-n'] if sudo works without a password, undefined without permission to install. */
async function findRootPrefix() {
  if (process.getuid?.() === 0) return []
  if (!findBinary('sudo')) return undefined
  const { code } = await run('sudo', ['-n', 'true'], { quiet: true })
  return code === 0 ? ['sudo', '-n'] : undefined
}

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runNpm } from './run-npm.mjs'
import { say } from './say.mjs'
import { readStamp, writeStamp } from './stamp.mjs'

/**
 * The package of the embedded telemetry engine for this machine, by its own name; undefined if there is none, which
 * includes a Linux without glibc.
 */
export function enginePackage({ platform, arch, isGlibc }, optional = {}) {
  const name = Object.keys(optional).find((each) => {
    const [, system, processor, libc] = /\/lib-([a-z]+)-([a-z0-9]+)(?:-([a-z]+))?$/.exec(each) ?? []
    return system === platform && processor === arch && (libc === undefined || (libc === 'gnu') === isGlibc)
  })
  return name === undefined ? undefined : { name, version: optional[name] }
}

const thisMachine = () => ({
  platform: process.platform,
  arch: process.arch,
  isGlibc: process.report?.getReport?.().header?.glibcVersionRuntime !== undefined,
})

/**
 * The lock file contains the engine of the machine that wrote it. On another platform the right one is installed in
 * addition, if the registry has it; without it everything but the embedded telemetry store works. A failure is not
 * retried until the packages change.
 */
export async function ensureEngine(root, { machine = thisMachine(), install = installPackage } = {}) {
  const manifest = readManifest(root)
  if (manifest === undefined || process.env.CLICKHOUSE_URL) return
  const wanted = enginePackage(machine, manifest.optionalDependencies)
  if (wanted === undefined) return sayMissing(`There is none for ${machine.platform}-${machine.arch}.`)
  if (isThere(root, wanted.name)) return
  const stampFile = join(root, 'node_modules/.engine.json')
  const spec = `${wanted.name}@${wanted.version}`
  if (readStamp(stampFile) === spec) return
  say(`installing the telemetry engine for this machine (${spec})`)
  if (!(await install(root, spec))) sayMissing(`The package registry does not have ${spec}.`)
  writeStamp(stampFile, spec)
}

async function installPackage(root, spec) {
  const args = [
    'install',
    spec,
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]
  return (await runNpm(root, args)).code === 0
}

function sayMissing(reason) {
  say(
    `the embedded telemetry engine is not installed. ${reason} Flags, rollouts by hand and the console work; monitoring needs CLICKHOUSE_URL, see docs/guides/telemetry-store.md`,
  )
}

const requireFrom = (root) => createRequire(join(root, 'packages/server/package.json'))

function readManifest(root) {
  try {
    return requireFrom(root)('chdb/package.json')
  } catch {
    return undefined
  }
}

function isThere(root, name) {
  try {
    requireFrom(root).resolve(`${name}/package.json`)
    return true
  } catch {
    return false
  }
}

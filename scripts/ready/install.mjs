import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { runNpm } from './run-npm.mjs'
import { Refusal, say, seconds } from './say.mjs'
import { readStamp, writeStamp } from './stamp.mjs'

/** Installs the packages of package-lock.json unless exactly these are already installed. */
export async function ensureInstalled(root) {
  const stampFile = join(root, 'node_modules/.ready.json')
  const manifests = readManifests(root)
  const stamp = hashManifests(manifests)
  if (readStamp(stampFile) === stamp) return

  await withLock(join(root, '.ready/lock'), async () => {
    if (readStamp(stampFile) === stamp) return
    if (!isInstalled(root, manifests)) await install(root)
    writeStamp(stampFile, stamp)
  })
}

async function install(root) {
  say('installing packages, about a minute the first time')
  const begun = performance.now()
  // NODE_ENV=production would omit the build tools.
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { code, output } = await runNpm(root, args)
  if (code !== 0) {
    process.stderr.write(output)
    throw new Refusal(
      'npm ci failed, see above. It needs the package registry (or a filled npm cache) and a writable folder.',
    )
  }
  say(`installed packages in ${seconds(begun)}`)
}

function readManifests(root) {
  const folders = readdirSync(join(root, 'packages')).sort()
  const files = [
    'package-lock.json',
    'package.json',
    ...folders.map((name) => `packages/${name}/package.json`),
  ]
  return files.map((file) => ({ file, text: readText(join(root, file)) })).filter(({ text }) => text !== '')
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function hashManifests(manifests) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const { file, text } of manifests) hash.update(`${file} ${text}\n`)
  return hash.digest('hex')
}

/**
 * True if npm's own record of node_modules matches the lock file: after a manual `npm install`, or a change of a
 * script in package.json, nothing has to be installed.
 */
function isInstalled(root, manifests) {
  const installed = readJson(readText(join(root, 'node_modules/.package-lock.json')))?.packages
  const locked = readJson(manifests[0]?.text)?.packages
  if (!installed || !locked) return false

  const missing = Object.entries(locked).some(([path, wanted]) => {
    if (!path.includes('node_modules/') || wanted.link) return false
    const found = installed[path]
    return found ? found.integrity !== wanted.integrity : !wanted.optional
  })
  return (
    !missing && manifests.slice(1).every(({ file, text }) => agreesWithLock(file, readJson(text), locked))
  )
}

function agreesWithLock(file, manifest, locked) {
  const entry = locked[file === 'package.json' ? '' : file.replace('/package.json', '')]
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  return kinds.every((kind) => sorted(manifest?.[kind]) === sorted(entry?.[kind]))
}

function sorted(record = {}) {
  return JSON.stringify(Object.entries(record).sort())
}

function readJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

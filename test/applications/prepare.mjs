// Prepares a test application as its team would: npm install, the packages that the server hands out, a build. What did not change
// since the last time is not done again.
//
//   node test/applications/prepare.mjs next

import { mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { withLock } from '../../scripts/ready/lock.mjs'
import { run } from '../../scripts/ready/run.mjs'
import { runNpm } from '../../scripts/ready/run-npm.mjs'
import { hashFiles, readStamp, writeStamp } from '../../scripts/ready/stamp.mjs'

const root = join(import.meta.dirname, '../..')
const here = 'test/applications'
const modules = join(root, here, 'node_modules')
const lock = `${here}/package-lock.json`
const tarballs = {
  browser: 'packages/sdk/dist/telltale-browser-0.1.0.tgz',
  node: 'packages/node/dist/telltale-node-0.1.0.tgz',
}
const builds = { plain: undefined, 'react-router': buildReactRouter, next: buildNext }

/** Unless it was done for exactly these files. */
async function doFor(name, files, work) {
  const stampFile = join(modules, `.${name}.json`)
  const stamp = hashFiles(root, files)
  if (readStamp(stampFile) === stamp) return
  await work()
  writeStamp(stampFile, stamp)
}

async function install() {
  const args = ['ci', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline']
  const { code, output } = await runNpm(join(root, here), args)
  if (code !== 0)
    throw new Error(`npm ci failed: the test applications need Next and React Router\n${output}`)
}

async function unpack() {
  for (const [name, file] of Object.entries(tarballs)) {
    const folder = join(modules, '@telltale', name)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await runOrFail('tar', ['-xzf', join(root, file), '--strip-components=1', '-C', folder])
  }
}

async function buildReactRouter() {
  await build({
    entryPoints: [join(root, here, 'react-router/main.jsx')],
    outdir: join(modules, '.react-router'),
    ...{ bundle: true, splitting: true, minify: true, format: 'esm', target: 'es2022', jsx: 'automatic' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
}

async function buildNext() {
  const next = createRequire(join(root, here, 'next/')).resolve('next/dist/bin/next')
  await runOrFail(process.execPath, [next, 'build'], join(root, here, 'next'))
}

async function runOrFail(program, args, cwd = root) {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  const { code, output } = await run(program, args, { cwd, env, quiet: true })
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${output}`)
}

const name = process.argv[2]
if (!(name in builds)) throw new Error(`no such application: ${name}`)
// Several test files want the same at once.
await withLock(join(root, '.ready/applications'), async () => {
  await doFor('installed', [lock], install)
  await doFor('unpacked', [lock, ...Object.values(tarballs)], unpack)
  const folders = ['app', 'next.config.js', 'server.js'].map((path) => `${here}/next/${path}`)
  const sources = name === 'next' ? folders : [`${here}/${name}`]
  const all = [lock, ...Object.values(tarballs), `${here}/shared`, ...sources]
  if (builds[name]) await doFor(name, all, builds[name])
})

// Prepares a test application as its team would: npm ci, the packages that the server hands out, a build. Steps whose files have
// not changed since the last run are skipped.
//
//   node test/applications/prepare.mjs next

import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { withLock } from '../../scripts/ready/lock.mjs'
import { run } from '../../scripts/ready/run.mjs'
import { runNpm } from '../../scripts/ready/run-npm.mjs'
import { hashFiles, readStamp, writeStamp } from '../../scripts/ready/stamp.mjs'
import { writeExamples } from './guide/examples.mjs'

const root = join(import.meta.dirname, '../..')
const here = 'test/applications'
const modules = join(root, here, 'node_modules')
const lock = `${here}/package-lock.json`
const tarballs = {
  browser: 'packages/sdk/dist/telltale-browser-0.1.0.tgz',
  node: 'packages/node/dist/telltale-node-0.1.0.tgz',
}
const guide = join(root, '.ready/guide')
const guides = ['docs/guides/server-sdk.md', 'docs/guides/monitoring.md', `${here}/guide`]
const applications = {
  plain: { sources: [`${here}/plain`], build: async () => undefined },
  'react-router': { sources: [`${here}/react-router`], build: buildReactRouter },
  next: {
    sources: ['app', 'next.config.js', 'server.js'].map((path) => `${here}/next/${path}`),
    build: () => buildNext(join(root, here, 'next')),
  },
  'guide-next': { sources: guides, build: buildGuideNext },
  'guide-react-router': { sources: guides, build: buildGuideReactRouter },
}

/** Unless it was done for exactly these files. */
async function doFor(name, files, work) {
  const stampFile = join(modules, `.${name}.json`)
  const stamp = hashFiles(root, files)
  if (readStamp(stampFile) === stamp) return
  await work()
  writeStamp(stampFile, stamp)
}

/** Next is larger than everything else, so only its tests install it. */
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
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
}

async function buildNext(folder) {
  const next = createRequire(import.meta.url).resolve('next/dist/bin/next')
  await runOrFail(process.execPath, [next, 'build'], folder)
}

async function buildGuideNext() {
  const folder = emptyGuide('next')
  writeExamples(folder, ['app/flags.ts', 'app/telltale.tsx', 'app/layout.tsx', 'app/error.tsx'])
  const own = {
    'next.config.js': '',
    'server.js': '',
    'page.jsx': 'app',
    crash: 'app',
    '../values.jsx': 'app',
  }
  copyOwn('next', own)
  await buildNext(folder)
}

async function buildGuideReactRouter() {
  const folder = emptyGuide('react-router')
  writeExamples(folder, ['app/flags.ts', 'app/telltale.tsx', 'app/root.tsx', 'app/error-boundary.tsx'])
  const flags = readFileSync(join(folder, 'app/flags.ts'), 'utf8')
  writeFileSync(join(folder, 'app/flags.server.ts'), flags.replace("import 'server-only'\n", ''))
  const parts = ['routes.jsx', 'browser.jsx', 'server.jsx', 'settings.js'].map((file) => [file, ''])
  copyOwn('react-router', {
    ...Object.fromEntries(parts),
    'visitor.server.js': 'app',
    '../values.jsx': 'app',
  })
  const shared = { bundle: true, format: 'esm', jsx: 'automatic', logLevel: 'warning' }
  const outdir = join(folder, 'built')
  await build({
    ...shared,
    outdir,
    entryPoints: [join(folder, 'server.jsx')],
    platform: 'node',
    packages: 'external',
  })
  await build({
    ...shared,
    outdir,
    entryPoints: [join(folder, 'browser.jsx')],
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [withoutServer],
  })
}

/** As the framework does with `.server` modules. */
const withoutServer = {
  name: 'without-server',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.server$/ }, ({ path }) => ({ path, namespace: 'server', sideEffects: false }))
    onLoad({ filter: /./, namespace: 'server' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** A folder whose packages are the ones that the server hands out. */
function emptyGuide(name) {
  const folder = join(guide, name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  rmSync(join(guide, 'node_modules'), { recursive: true, force: true })
  symlinkSync(modules, join(guide, 'node_modules'))
  return folder
}

/** What a team has beside the code of the guide. */
function copyOwn(name, files) {
  for (const [file, folder] of Object.entries(files)) {
    const from = join(root, here, 'guide', name, file)
    cpSync(from, join(guide, name, folder, basename(file)), { recursive: true })
  }
}

async function runOrFail(program, args, cwd = root) {
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  const { code, output } = await run(program, args, { cwd, env, quiet: true })
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${output}`)
}

const name = process.argv[2]
const application = applications[name]
if (!application) throw new Error(`no such application: ${name}`)
// Several test files want the same at once.
await withLock(join(root, '.ready/applications'), async () => {
  await doFor('installed', [lock], install)
  await doFor('unpacked', [lock, ...Object.values(tarballs)], unpack)
  const all = [
    lock,
    ...Object.values(tarballs),
    `${here}/shared`,
    `${here}/prepare.mjs`,
    ...application.sources,
  ]
  await doFor(name, all, application.build)
})

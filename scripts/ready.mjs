// The entry of `npm start`, `npm test`, `npm run dev` and benchmarks. Plain JavaScript without dependencies, because
// a fresh clone has nothing installed: it installs and builds what is missing or stale, then runs the command.
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { refuseOldNode } from './ready/node-version.mjs'
import { Refusal, say } from './ready/say.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [command, ...args] = process.argv.slice(2)

const commands = {
  start: async () => {
    await makeReady()
    const { start } = await import('./ready/start.mjs')
    await start(root, args)
  },
  test: async () => {
    const { test } = await import('./ready/test.mjs')
    await makeReady({ build: false })
    process.exitCode = await test(root, args[0])
  },
  dev: async () => {
    await makeReady({ build: false })
    const { dev } = await import('./ready/dev.mjs')
    await dev(root, args)
  },
  bench: async () => {
    await makeReady()
    const { run } = await import('./ready/run.mjs')
    const [name, ...more] = args
    const { code } = await run('node_modules/.bin/tsx', [`bench/${name}.ts`, ...more], { cwd: root })
    process.exitCode = code
  },
  build: () => makeReady({ force: true }),
  pack: async () => {
    await makeReady()
    const { run } = await import('./ready/run.mjs')
    const { code } = await run(process.execPath, ['--import', 'tsx', 'scripts/pack.ts'], { cwd: root })
    process.exitCode = code
  },
}

async function makeReady(wanted) {
  try {
    await installAndBuild(wanted)
  } catch (error) {
    // No stack trace for a folder that belongs to another user or a full disk.
    if (!['EACCES', 'EROFS', 'ENOSPC'].includes(error.code)) throw error
    throw new Refusal(`cannot install or build here: ${error.message}`)
  }
}

async function installAndBuild({ build = true, force = false } = {}) {
  const { ensureInstalled } = await import('./ready/install.mjs')
  await ensureInstalled(root)
  const { linkCommand } = await import('./ready/link-command.mjs')
  linkCommand(root)
  const { ensureEngine } = await import('./ready/ensure-engine.mjs')
  await ensureEngine(root)
  if (!build) return
  const { ensureBuilt } = await import('./ready/build.mjs')
  await ensureBuilt(root, { force })
}

try {
  refuseOldNode()
  const wanted = commands[command]
  if (!wanted)
    throw new Refusal(`no such command: ${command}. There are ${Object.keys(commands).join(', ')}.`)
  await wanted()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  say(error.message)
  process.exitCode = 1
}

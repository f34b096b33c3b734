import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { run } from './run.mjs'
import { Refusal, say, seconds } from './say.mjs'
import { hashFiles, readStamp, writeStamp } from './stamp.mjs'

const always = ['package-lock.json', 'scripts/build.ts', 'scripts/build']

/** The sources of each part. A part is rebuilt only if one of its sources changed. */
const parts = {
  server: { dist: 'packages/server/dist', sources: ['packages/server/src', 'packages/core/src', ...always] },
  cli: {
    dist: 'packages/cli/dist',
    sources: ['packages/cli', 'packages/core/src', 'package.json', 'LICENSE', ...always],
  },
  sdk: {
    dist: 'packages/sdk/dist',
    sources: ['packages/sdk', 'packages/core/src', 'tsconfig.json', 'LICENSE', ...always],
  },
  node: {
    dist: 'packages/node/dist',
    sources: ['packages/node', 'packages/core/src', 'tsconfig.json', 'LICENSE', ...always],
  },
  console: {
    dist: 'packages/console/dist',
    sources: ['packages/console', 'packages/sdk/src', 'packages/core/src', ...always],
  },
  demo: { dist: 'demo/dist', sources: ['demo', 'packages/sdk/src', 'packages/core/src', ...always] },
  docs: {
    dist: 'packages/docs/dist',
    sources: ['docs', 'packages/docs', 'packages/console/src/tokens.css', 'package.json', ...always],
  },
}

export async function ensureBuilt(root, { force = false } = {}) {
  if (!force && findStale(root).length === 0) return

  await withLock(join(root, '.ready/lock'), async () => {
    const stale = force ? Object.keys(parts) : findStale(root)
    if (stale.length === 0) return

    say(`building ${stale.join(', ')}`)
    const begun = performance.now()
    // Taken before the build, so that a file saved during it triggers a rebuild at the next start.
    const stamps = stale.map((part) => stampOf(root, part))
    const { code } = await run(process.execPath, ['--import', 'tsx', 'scripts/build.ts', ...stale], {
      cwd: root,
    })
    if (code !== 0) throw new Refusal('the build failed, see above')
    stale.forEach((part, index) => {
      writeStamp(stampFile(root, part), stamps[index])
    })
    say(`built in ${seconds(begun)}`)
  })
}

function findStale(root) {
  return Object.keys(parts).filter((part) => readStamp(stampFile(root, part)) !== stampOf(root, part))
}

function stampOf(root, part) {
  return hashFiles(root, parts[part].sources)
}

function stampFile(root, part) {
  return join(root, parts[part].dist, '.ready.json')
}

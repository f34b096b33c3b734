// The browser client: the script that the server hands out with its lazy part, and the package to install by URL.

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import { compressFiles } from './compress.ts'
import { writeDeclarations } from './declarations.ts'
import { buildInPlace, root } from './place.ts'
import { writeTarball } from './tarball.ts'

const folder = 'packages/sdk'
const source = join(root, folder, 'src')
/** Loaded later, when there are values. */
const lazy = { './flags/live.ts': './live.js' }
/** Browsers of 2022 and newer. */
const target = 'es2022'
const entries = ['telltale', 'flags', 'openfeature', 'react'] as const

export async function buildSdk(): Promise<void> {
  await buildInPlace(folder, async (target) => {
    await buildScript(target)
    await compressFiles(target)

    const content = join(target, 'package')
    const manifest = describePackage()
    mkdirSync(content)
    await buildModules(content)
    await writeDeclarations(join(root, folder), { target: content, entries })
    writeFileSync(join(content, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    copyFileSync(join(root, folder, 'README.md'), join(content, 'README.md'))
    copyFileSync(join(root, 'LICENSE'), join(content, 'LICENSE'))
    writeTarball(join(target, `telltale-browser-${manifest.version}.tgz`), content)
  })
}

/** `telltale.js` for a page without a build, and the part that it loads later under a name that never changes its bytes. */
async function buildScript(target: string): Promise<void> {
  const live = await bundleEntry('live')
  const hash = createHash('sha256').update(live).digest('hex').slice(0, 8)
  const name = `telltale-live-${hash}.js`
  writeFileSync(join(target, name), live)
  writeFileSync(join(target, 'telltale.js'), await bundleScript(name))
}

/** Everything that a page loads at first. */
export function bundleScript(liveFile: string): Promise<Uint8Array> {
  const define = { liveFile: `'${liveFile}'` }
  return bundle('script.ts', { outside: lazy, define, globalName: 'telltale' })
}

/** The entries of the package. What several need stands in it once. */
async function buildModules(target: string): Promise<void> {
  for (const entry of [...entries, 'live'] as const) {
    writeFileSync(join(target, `${entry}.js`), await bundleEntry(entry))
  }
}

/** One file of the package. */
export function bundleEntry(entry: (typeof entries)[number] | 'live'): Promise<Uint8Array> {
  if (entry === 'live') return bundle('flags/live.ts', {})
  const flags = { './flags.ts': './flags.js', '../flags.ts': './flags.js' }
  const outside = { ...lazy, ...(entry === 'flags' ? {} : flags) }
  return bundle(`${entry}.ts`, { outside })
}

interface BundleOptions {
  /** What is imported from elsewhere, by the import as it is written. */
  outside?: Record<string, string>
  define?: Record<string, string>
  /** A script with this global instead of a module. */
  globalName?: string
}

async function bundle(
  entry: string,
  { outside = {}, define = {}, globalName }: BundleOptions,
): Promise<Uint8Array> {
  const bundled = await rolldown({
    input: join(source, entry),
    platform: 'browser',
    transform: { target, define },
    plugins: [keepOutside(outside)],
    external: ['react', '@openfeature/web-sdk'],
  })
  const { output } = await bundled.generate({
    minify: { compress: { target }, mangle: { toplevel: !globalName } },
    comments: false,
    generatedCode: { symbols: false },
    ...(globalName ? { format: 'iife', name: globalName } : { format: 'esm' }),
  })
  await bundled.close()
  return new TextEncoder().encode(output[0].code)
}

function keepOutside(outside: Record<string, string>): Plugin {
  return {
    name: 'keep-outside',
    resolveId(path) {
      const instead = outside[path]
      return instead === undefined ? undefined : { id: instead, external: 'relative' }
    },
  }
}

/** As npm sees it: no private package, and nothing to install with it. */
function describePackage() {
  const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const entryOf = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  const { name, version, license, peerDependencies, peerDependenciesMeta } = own
  return {
    ...{ name, version, license },
    description: 'Feature flags and real-user monitoring in the browser, with your own Telltale server.',
    type: 'module',
    sideEffects: false,
    exports: {
      '.': entryOf('telltale'),
      './flags': entryOf('flags'),
      './openfeature': entryOf('openfeature'),
      './react': entryOf('react'),
      './package.json': './package.json',
    },
    ...{ peerDependencies, peerDependenciesMeta },
  }
}

// The client for servers, as a package to install by URL. Its npm dependencies are bundled: an installation by URL
// has to work without access to a registry, and two processes with the same client version have to compute the same
// buckets.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { writeDeclarations } from './declarations.ts'
import { licenseOf } from './licenses.ts'
import { buildInPlace, root } from './place.ts'
import { writeTarball } from './tarball.ts'

const folder = 'packages/node'
const entries = ['flags', 'openfeature', 'express', 'fastify', 'next', 'sign-user'] as const
const takenIn = ['re2js', '@noble/hashes'] as const

export async function buildNode(): Promise<void> {
  await buildInPlace(folder, async (target) => {
    const content = join(target, 'package')
    const { version } = await writeNodePackage(content)
    writeTarball(join(target, `telltale-node-${version}.tgz`), content)
  })
}

/** The content that npm installs. */
export async function writeNodePackage(content: string): Promise<{ version: string }> {
  const manifest = describePackage()
  mkdirSync(content, { recursive: true })
  await bundleEntries(content)
  await writeDeclarations(join(root, folder), { target: content, entries })
  writeFileSync(join(content, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(content, 'THIRD-PARTY-LICENSES.txt'), takenIn.map(licenseOf).join('\n'))
  copyFileSync(join(root, folder, 'README.md'), join(content, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(content, 'LICENSE'))
  return manifest
}

/**
 * Code shared by both entries is in the package once, so that a client passed to the provider is an instance of the
 * same class.
 */
async function bundleEntries(content: string): Promise<void> {
  await build({
    entryPoints: entries.map((entry) => join(root, folder, 'src', `${entry}.ts`)),
    outdir: content,
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['@openfeature/server-sdk'],
    legalComments: 'none',
    logLevel: 'warning',
  })
}

/** The manifest for npm: not private, and without dependencies. */
function describePackage() {
  const own = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entryOf = (name: string) => ({ types: `./${name}.d.ts`, default: `./${name}.js` })
  const { name, version, license, peerDependencies, peerDependenciesMeta } = own
  return {
    name,
    version,
    license,
    engines,
    description:
      'Feature flags in Node.js, from your own Telltale server, evaluated in your process, and its telemetry.',
    type: 'module',
    sideEffects: false,
    files: ['**/*.js', '**/*.d.ts', 'THIRD-PARTY-LICENSES.txt'],
    // For `moduleResolution: node`, which does not read `exports`.
    main: './flags.js',
    types: './flags.d.ts',
    exports: {
      '.': entryOf('flags'),
      './openfeature': entryOf('openfeature'),
      './express': entryOf('express'),
      './fastify': entryOf('fastify'),
      './next': entryOf('next'),
      './sign-user': entryOf('sign-user'),
      './package.json': './package.json',
    },
    peerDependencies,
    peerDependenciesMeta,
  }
}

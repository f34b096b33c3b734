// The command line tool: for the product's folder, and as a package for pipelines, served by the server.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode, callAddresses } from './bundle.ts'
import { writeLicensesOf } from './licenses.ts'
import { buildInPlace, root } from './place.ts'
import { writeTarball } from './tarball.ts'

const folder = 'packages/cli'
const entry = join(folder, 'src/telltale.ts')

export async function buildCli(): Promise<void> {
  await buildInPlace(folder, async (target) => {
    await bundleCommand(join(target, 'telltale.js'))
    const content = join(target, 'package')
    const { version } = await writeCliPackage(content)
    writeTarball(join(target, `telltale-cli-${version}.tgz`), content)
  })
}

/** The package's files for npm: a single file, which reads its version from the manifest next to it. */
export async function writeCliPackage(content: string): Promise<{ version: string }> {
  const { name, version, license } = readManifest(folder)
  const { engines } = readManifest('.')
  mkdirSync(join(content, 'dist'), { recursive: true })
  const command = join(content, 'dist/telltale.js')
  await bundleCommand(command)
  rmSync(`${command}.map`)
  const manifest = {
    name,
    version,
    license,
    engines,
    description:
      'The command of Telltale, for pipelines: flags, guarded rollouts, deploys and source maps on your own server.',
    type: 'module',
    bin: { telltale: 'dist/telltale.js' },
    files: ['dist/telltale.js', 'THIRD-PARTY-LICENSES.txt'],
  }
  writeFileSync(join(content, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  copyFileSync(join(root, folder, 'README.md'), join(content, 'README.md'))
  copyFileSync(join(root, 'LICENSE'), join(content, 'LICENSE'))
  writeFileSync(
    join(content, 'THIRD-PARTY-LICENSES.txt'),
    writeLicensesOf(['packages/core', 'packages/code', folder]),
  )
  return { version }
}

async function bundleCommand(outfile: string): Promise<void> {
  const takenIn = ['@babel/parser', '@noble/hashes', 'diff', 'yaml']
  await bundleForNode({ entry, outfile, banner: '#!/usr/bin/env node', plugins: [callAddresses], takenIn })
  chmodSync(outfile, 0o755)
}

function readManifest(place: string) {
  return JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'))
}

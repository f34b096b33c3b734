// `npm run pack`: writes the packages for a registry into dist/packages, ready for `npm publish <file>`.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeForRegistry } from './build/manifest.ts'
import { writeNodePackage } from './build/node.ts'
import { root } from './build/place.ts'
import { writeSdkPackage } from './build/sdk.ts'
import { writeTarball } from './build/tarball.ts'
import { writeTelltalePackage } from './build/telltale-package.ts'

const packages = {
  telltale: writeTelltalePackage,
  'telltale-browser': writeSdkPackage,
  'telltale-node': writeNodePackage,
}

export async function pack(target: string): Promise<string[]> {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const files: string[] = []
  for (const [name, write] of Object.entries(packages)) {
    const content = mkdtempSync(join(tmpdir(), 'telltale-pack-'))
    try {
      const { version } = await write(content)
      const manifest = join(content, 'package.json')
      const described = { ...JSON.parse(readFileSync(manifest, 'utf8')), ...describeForRegistry() }
      writeFileSync(manifest, `${JSON.stringify(described, null, 2)}\n`)
      const file = join(target, `${name}-${version}.tgz`)
      writeTarball(file, content)
      files.push(file)
    } finally {
      rmSync(content, { recursive: true, force: true })
    }
  }
  return files
}

if (import.meta.filename === process.argv[1]) {
  for (const file of await pack(join(root, 'dist/packages'))) console.log(file)
}

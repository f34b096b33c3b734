// The package `telltale`: the built server with its console, docs, demo and clients, and the command. The folders
// are those of the repository, because each part finds the others by relative paths.

import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeLicensesOf } from './licenses.ts'
import { readManifest } from './manifest.ts'
import { root } from './place.ts'

/** Folders with programs for Node.js, whose imports from npm become dependencies. */
const programs = ['packages/server', 'demo']
/** Folders whose npm packages are in their files, under licences that ask for a notice. */
const takenIn = ['packages/console', 'packages/docs', 'packages/sdk', 'packages/node']
/** The command is one file without dependencies. */
const parts = [...programs, 'packages/cli', ...takenIn]
const command = 'packages/cli/dist/telltale.js'

export async function writeTelltalePackage(content: string): Promise<{ version: string }> {
  const { version } = readManifest('.')
  for (const part of parts) {
    cpSync(join(root, part, 'dist'), join(content, part, 'dist'), { recursive: true, filter: isShipped })
    // Where the programs find their version.
    writeJson(join(content, part, 'package.json'), { private: true, version, type: 'module' })
  }
  const manifest = describePackage(dependenciesOf(findImports(content)))
  writeJson(join(content, 'package.json'), manifest)
  writeFileSync(
    join(content, 'THIRD-PARTY-LICENSES.txt'),
    writeLicensesOf([...takenIn, 'packages/core', 'packages/code', 'packages/cli']),
  )
  cpSync(join(root, 'packages/server/README.npm.md'), join(content, 'README.md'))
  cpSync(join(root, 'LICENSE'), join(content, 'LICENSE'))
  return { version }
}

/** Not the stamps of the build, nor the unpacked content of packages that are there as archives. */
function isShipped(path: string): boolean {
  return basename(path) !== '.ready.json' && !/(sdk|node|cli)\/dist\/package$/.test(path)
}

function describePackage(dependencies: Dependencies) {
  const { version, license, description, engines } = readManifest('.')
  return {
    name: 'telltale',
    version,
    license,
    description,
    keywords: ['feature flags', 'real user monitoring', 'guarded rollouts', 'self-hosted', 'openfeature'],
    type: 'module',
    engines,
    bin: { telltale: command },
    exports: { './package.json': './package.json' },
    files: [...parts, 'THIRD-PARTY-LICENSES.txt'],
    ...dependencies,
  }
}

interface Dependencies {
  dependencies: Record<string, string>
  optionalDependencies: Record<string, string>
}

/** The versions that the manifests of the repository name. An import that none of them names fails the build. */
function dependenciesOf(imports: ReadonlySet<string>): Dependencies {
  const named: Record<string, string> = {}
  for (const part of ['packages/core', ...programs]) Object.assign(named, readManifest(part).dependencies)
  const entries = [...imports].sort().map((name) => {
    const version = named[name]
    if (version === undefined) throw new Error(`no manifest names a version of "${name}", which is imported`)
    return [name, version] as const
  })
  const { optionalDependencies = {} } = readManifest('packages/server')
  return { dependencies: Object.fromEntries(entries), optionalDependencies }
}

/** `from"x"`, `import"x"`, `import("x")` and `require.resolve("x")`, in code written by the bundler. */
const importOf = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire(?:\.resolve)?\(\s*)(["'])([@a-z][^"'\n]*)\1/g

function findImports(content: string): Set<string> {
  const found = new Set<string>()
  for (const part of programs) {
    const dist = join(content, part, 'dist')
    for (const file of readdirSync(dist).filter((name) => name.endsWith('.js'))) {
      const code = readFileSync(join(dist, file), 'utf8')
      for (const [, , specifier = ''] of code.matchAll(importOf)) {
        if (specifier.startsWith('node:')) continue
        found.add(
          specifier
            .split('/')
            .slice(0, specifier.startsWith('@') ? 2 : 1)
            .join('/'),
        )
      }
    }
  }
  return found
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

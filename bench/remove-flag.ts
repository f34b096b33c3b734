// Plants a flag into open-source TypeScript in twenty ways, removes it, and compares: files that are what they were
// apart from blanks, errors of the compiler before and after, and the package's own tests where it ships them. An
// argument chooses the packages by a part of their name.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { type CodeFile, removeFromFiles } from '@telltale/code/remove-from-files'
import { plantedKey, plantedModule, plantFlags } from './remove-flag/plant.ts'

interface Planted {
  name: string
  folder: string
  /** Where it ships its own tests. */
  tests?: string
  /** The name by which they import the package itself. */
  own?: string
  /** What they need besides, installed from the registry. */
  installs?: readonly string[]
  environment?: 'node' | 'jsdom'
}

/** Packages that ship their TypeScript. */
const packages: readonly Planted[] = [
  { name: 'zod@3.25.0', folder: 'src/v4', tests: 'src/v4', own: 'zod' },
  {
    name: '@tanstack/query-core@5.17.0',
    folder: 'src',
    tests: 'src/tests',
    installs: [
      'vitest@2.1.9',
      'jsdom@25.0.1',
      '@testing-library/react@14.3.1',
      'react@18.3.1',
      'react-dom@18.3.1',
    ],
    environment: 'jsdom',
  },
  {
    name: 'wonka@6.3.4',
    folder: 'src',
    tests: 'src/__tests__',
    installs: [
      'vitest@2.1.9',
      'callbag-iterate@1.0.0',
      'callbag-from-iter@1.3.0',
      'callbag-take@1.5.0',
      'zen-observable@0.10.0',
    ],
  },
  { name: 'immer@10.1.1', folder: 'src' },
  { name: 'redux@5.0.1', folder: 'src' },
]
const repository = join(import.meta.dirname, '..')
const step = 3
const print = (line: string) => process.stdout.write(`${line}\n`)

const [wanted = ''] = process.argv.slice(2)

for (const planting of packages.filter(({ name }) => name.includes(wanted))) {
  const { name, folder, tests } = planting
  const root = fetchPackage(name)
  installNeeded(root, planting.installs)
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !/\.d\.ts$|tests?(?:__)?\//.test(path))
  const before = paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const errorsBefore = compile(root, folder)
  const testsBefore = tests && runTests(root, planting)

  const module = { path: join(folder, 'planted-flags.ts'), text: plantedModule }
  const ways = new Map<string, number>()
  const planted = before.map((file) => plant(file, module.path, ways))
  const startedAt = performance.now()
  const { changed, left } = removeFromFiles([...planted, module], {
    key: plantedKey,
    value: true,
    variation: undefined,
    otherVariations: [],
    names: { wrappers: [], constants: {} },
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const after = new Map(changed.map(({ path, text }) => [path, text]))
  for (const { path, text } of [...planted, module]) write(root, { path, text: after.get(path) ?? text })
  const errorsAfter = compile(root, folder)
  const same = before.filter(({ path, text }) => strip(after.get(path) ?? text) === strip(text)).length
  const total = [...ways.values()].reduce((sum, count) => sum + count, 0)
  print(
    `${name}: ${before.length} files, ${total} reads planted in ${ways.size} ways, removed in ${seconds.toFixed(1)} s`,
  )
  print(
    `  as before apart from blanks: ${same} files; left: ${left.filter(({ path }) => path !== module.path).length}`,
  )
  print(`  errors of tsc: ${errorsBefore} before, ${errorsAfter} after`)
  for (const { path, line, reason } of left) print(`  ${path}:${line} ${reason}`)
  if (tests) print(`  its tests: ${testsBefore} before, ${runTests(root, planting)} after`)
}

function fetchPackage(name: string): string {
  const root = mkdtempSync(join(tmpdir(), 'telltale-planted-'))
  const [packed] = execFileSync('npm', ['pack', name, '--silent'], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .slice(-1)
  execFileSync('tar', ['xzf', packed ?? '', '--strip-components=1'], { cwd: root })
  return root
}

function installNeeded(root: string, installs: readonly string[] | undefined): void {
  if (installs === undefined) {
    symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'))
    return
  }
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--silent', '--prefix', root]
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  execFileSync('npm', ['install', ...options, ...installs], { cwd: root, stdio: 'pipe' })
}

function plant({ path, text }: CodeFile, module: string, ways: Map<string, number>): CodeFile {
  const from = relative(dirname(path), module).replace(/\.ts$/, '.js')
  const planted = plantFlags(path, text, { step, from: from.startsWith('.') ? from : `./${from}` })
  for (const way of planted.ways) ways.set(way, (ways.get(way) ?? 0) + 1)
  return { path, text: planted.text }
}

function write(root: string, { path, text }: CodeFile): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** How many errors the compiler has about the sources. */
function compile(root: string, folder: string): number {
  const options =
    '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --allowImportingTsExtensions --lib es2022,dom'
  const config = {
    compilerOptions: {},
    include: [folder],
    exclude: ['**/tests/**', '**/__tests__/**', '**/*.test.ts'],
  }
  writeFileSync(join(root, 'tsconfig.planted.json'), JSON.stringify(config))
  try {
    execFileSync(
      join(repository, 'node_modules/.bin/tsc'),
      ['-p', 'tsconfig.planted.json', ...options.split(' ')],
      {
        cwd: root,
        encoding: 'utf8',
        stdio: 'pipe',
      },
    )
    return 0
  } catch (error) {
    const output = error instanceof Error && 'stdout' in error ? String(error.stdout) : ''
    return output.split('\n').filter((line) => line.includes('error TS')).length
  }
}

function runTests(root: string, { tests = '', own, environment = 'node' }: Planted): string {
  const alias =
    own === undefined
      ? []
      : [
          { find: `${own}/v4-mini`, replacement: join(root, 'src/v4-mini') },
          { find: `${own}/v4`, replacement: join(root, 'src/v4') },
        ]
  writeFileSync(
    join(root, 'vitest.config.mjs'),
    `export default ${JSON.stringify({ resolve: { alias }, test: { environment, globals: true } })}\n`,
  )
  try {
    const output = execFileSync('npx', ['vitest', 'run', '--root', root, tests], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    })
    return summaryOf(output)
  } catch (error) {
    return summaryOf(error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error))
  }
}

function summaryOf(output: string): string {
  const plain = output.replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g'), '')
  return plain.match(/Tests .*/)?.[0] ?? plain.slice(-300)
}

/** Without blanks, semicolons, and the braces and parentheses that planting added. */
function strip(text: string): string {
  return text.replace(/[\s;(){},]/g, '')
}

// The reference pages say what the code does, and nothing that the code does is missing there.

import { readdir, readFile } from 'node:fs/promises'
import { errorsOf } from '@telltale/core/contract/call'
import { callList } from '@telltale/core/contract/calls'
import { errors } from '@telltale/core/errors'
import { expect, test } from 'vitest'
import { renderReference } from '../scripts/docs/pages.ts'
import { withScaleTables } from '../scripts/docs/scale.ts'

const folder = new URL('../docs/reference/', import.meta.url)
const writtenByHand = ['replay-format.md']

test('the reference is current: `npm run docs` would change nothing', async () => {
  const rendered = renderReference()

  expect((await readdir(folder)).sort()).toEqual(
    [...rendered.keys(), 'audit-chain.md', ...writtenByHand].sort(),
  )
  for (const [name, text] of rendered) {
    expect(await readFile(new URL(name, folder), 'utf8'), name).toBe(text)
  }
})

test('the guide to scale has the figures of the benchmarks: `npm run docs` would change nothing', async () => {
  const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8')
  const [guide, results] = await Promise.all([read('docs/guides/scale.md'), read('bench/results.md')])
  expect(withScaleTables(guide, results)).toBe(guide)
})

test('every error in the source is in the catalogue, and every error of the catalogue is used', async () => {
  const raised = new Set<string>(callList.flatMap(({ call }) => errorsOf(call)))
  for (const source of await readSources()) {
    for (const [, code] of source.matchAll(/problem\(\s*'([a-z-]+)'/g)) if (code) raised.add(code)
  }
  expect([...raised].filter((code) => !Object.hasOwn(errors, code))).toEqual([])
  expect(Object.keys(errors).filter((code) => !raised.has(code))).toEqual([])
})

/** The text of a program of bench/ and of the files there that it imports, because options may be shared. */
async function readWithImports(name: string): Promise<string> {
  const file = new URL(`../${name}`, import.meta.url)
  const program = await readFile(file, 'utf8')
  const imported = [...program.matchAll(/from '(\.\/[^']+\.ts)'/g)].map(([, path = '']) => {
    return readFile(new URL(path, file), 'utf8')
  })
  return [program, ...(await Promise.all(imported))].join('\n')
}

test('every command of the benchmark results has its script, program and options', async () => {
  const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8')
  const { scripts } = JSON.parse(await read('package.json'))
  const commands = [...(await read('bench/results.md')).matchAll(/`npm run (bench:[a-z-]+)( [^`]*)?`/g)]
  expect(commands.length).toBeGreaterThan(10)
  for (const [command, name = '', options = ''] of commands) {
    const [, own, made] =
      /\btsx bench\/([a-z-]+)\.ts$|ready\.mjs bench ([a-z-]+)$/.exec(scripts[name] ?? '') ?? []
    expect(own ?? made, command).toBeDefined()
    const program = await readWithImports(`bench/${own ?? made}.ts`)
    for (const [, option] of options.matchAll(/--([a-z]+)/g))
      expect(program, command).toMatch(new RegExp(`\\b${option}: \\{ type: |'--${option}'`))
  }
})

async function readSources(): Promise<string[]> {
  const root = new URL('../packages/server/src/', import.meta.url)
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.ts'))
  return Promise.all(names.map((name) => readFile(new URL(name, root), 'utf8')))
}

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what recorded text may look like

// The source of generated tests: valid TypeScript for Playwright, whatever text was recorded.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCode } from '@telltale/code/syntax/parse'
import { expect, test } from 'vitest'
import { sourceWith } from '../packages/core/src/telemetry/replay-test/testing/sources.ts'
import { writeReplayTest } from '../packages/core/src/telemetry/replay-test/write-test.ts'

const root = join(import.meta.dirname, '..')

/** The types of all nodes and the names of all identifiers; of literals only that they are there. */
function shapeOf(text: string): string {
  const parsed = parseCode('generated.spec.ts', text)
  if (typeof parsed === 'string' || parsed.faults > 0) return `not a program: ${text}`
  const shape: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each)
    if (typeof value !== 'object' || value === null || !('type' in value)) return
    const isName = value.type === 'Identifier' && 'name' in value
    const isKey = value.type === 'ObjectProperty' && 'value' in value
    shape.push(isName ? String(value.name) : String(value.type))
    // A key is an identifier or a literal, depending on its text.
    for (const each of isKey ? [value.value] : Object.values(value)) visit(each)
  }
  visit(parsed.program)
  return shape.join(' ')
}

const hostile = [
  `'); process.exit(1); ('`,
  '"); alert(1) //',
  '`${process.env.HOME}`',
  '\\',
  "\\'); globalThis.pwned = 1; ('",
  '\n*/ globalThis.pwned = 1 /*',
  '\r\nglobalThis.pwned = 1 //',
  '\u2028globalThis.pwned = 1 //\u2029',
  '/ .exec(globalThis.pwned = 1) /',
  '[/]\\/](?:',
  '</script><script>',
  '\ud800 half \udc00',
  '\u202e reversed \u0000 end',
  '__proto__',
  'constructor',
  '${1}{{x}}',
  '#>> css=*',
]

test('recorded text never leaves a literal or a comment', () => {
  const usual = shapeOf(writeReplayTest(sourceWith('a1 b')))
  for (const text of hostile) {
    const written = writeReplayTest(sourceWith(`a1 ${text} b`))
    expect(shapeOf(written) === usual, JSON.stringify(text)).toBe(true)
    expect(written.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
  }
})

test('a generated test compiles in a strict project', () => {
  // In the repository, where Playwright and its types are found.
  const folder = mkdtempSync(join(root, 'test-results-'))
  try {
    const file = join(folder, 'generated.spec.ts')
    writeFileSync(file, writeReplayTest(sourceWith('plain')))
    const strict = [
      '--strict',
      '--noUnusedLocals',
      '--noUncheckedIndexedAccess',
      '--noEmit',
      '--skipLibCheck',
    ]
    const modules = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--ignoreConfig']
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [tsc, ...strict, ...modules, file], {
      cwd: folder,
    })
    expect({ status, said: String(stdout) }).toEqual({ status: 0, said: '' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

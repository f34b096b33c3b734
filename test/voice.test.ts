// What users read is written in the words of CONTRIBUTING.md: no banned word in a user-visible string, the reasons for
// exceptions beside them. test/voice/read-strings.ts says how strings are found.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { banned } from './voice/banned.ts'
import { exceptions } from './voice/exceptions.ts'
import { readTexts, type Text, textsOfDocument, textsOfSource } from './voice/read-strings.ts'

const root = join(import.meta.dirname, '..')
const texts = readTexts(root)

test('no user-visible string has a banned word, except what is listed with a reason', () => {
  expect(texts.length).toBeGreaterThan(9_000)
  const found = texts.flatMap((text) => findBanned(text).map((word) => ({ ...text, word })))
  const counts: Record<string, number> = {}
  for (const { file } of found) counts[areaOf(file)] = (counts[areaOf(file)] ?? 0) + 1

  // The ratchet: how many are left in each part. It only shrinks.
  const left: Record<string, number> = JSON.parse(readFileSync(join(root, 'test/voice/ratchet.json'), 'utf8'))
  const worse = found.filter(({ file }) => (counts[areaOf(file)] ?? 0) > (left[areaOf(file)] ?? 0))
  expect(worse.map(({ file, line, word, text }) => `${file}:${line} “${word}” in: ${text}`)).toEqual([])
})

test('every exception is used', () => {
  const unused = exceptions.filter(({ text }) => !texts.some((each) => each.text.includes(text)))
  expect(unused).toEqual([])
})

test.each([
  ['JSX text', 'const a = <p>Nobody reads this</p>'],
  ['an attribute', 'const a = <Field label="tells" />'],
  ['an expression in JSX', 'const a = <p>{open ? "nobody" : ""}</p>'],
  ['a string', 'const title = "Nobody reads this"'],
  ['a template', 'const title = `Nobody reads ${name}`'],
  ['a label of one word', 'const labels = { a: "Nobody" }'],
])('finds a banned word in %s', (_, source) => {
  expect(textsOfSource('a.tsx', source).flatMap(findBanned)).toHaveLength(1)
})

test.each([
  ['an import', 'import { a } from "./nobody reads.ts"'],
  ['a type', 'type A = "Nobody reads this"'],
  ['a key', 'const a = { "Nobody reads": 1 }'],
  ['a class', 'const a = <p className="nobody">Read</p>'],
  ['an identifier of the machine', 'const kind = "nobody"'],
  ['a statement', 'const sql = `SELECT nobody FROM people`'],
])('does not look at %s', (_, source) => {
  expect(textsOfSource('a.tsx', source).flatMap(findBanned)).toEqual([])
})

test('documents are read without their code', () => {
  const document = 'Nobody, `nobody` [x](nobody)\n```\nnobody\n```\nRead'
  expect(textsOfDocument('a.md', document).flatMap(findBanned)).toEqual(['Nobody'])
})

function findBanned({ file, text }: Text): string[] {
  const excepted = exceptions.filter((each) => file.startsWith(each.in ?? '') && text.includes(each.text))
  const rest = excepted.reduce((left, each) => left.replaceAll(each.text, ''), text)
  return banned.flatMap(({ pattern }) => pattern.exec(rest)?.[0] ?? [])
}

function areaOf(file: string): string {
  return file.startsWith('demo/') ? 'demo' : file.split('/').slice(0, 2).join('/')
}

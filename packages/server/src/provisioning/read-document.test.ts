import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseDocument, readDocument } from './read-document.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(content: string | Uint8Array) {
  const file = join(folder, 'document.json')
  await writeFile(file, content)
  return readDocument(file)
}

const wholeFile = (message: unknown) => ({ faults: [{ pointer: '', message }] })

test('a document is read, with or without a byte order mark', async () => {
  expect(await read('\uFEFF{ "a": [1, null] }')).toEqual({ value: { a: [1, null] } })
})

test('a file that is missing, a folder or no text says so', async () => {
  expect(await readDocument(join(folder, 'missing.json'))).toEqual(
    wholeFile(expect.stringMatching(/^cannot be read: ENOENT/)),
  )
  expect(await readDocument(folder)).toEqual(wholeFile(expect.stringMatching(/^cannot be read: EISDIR/)))
  expect(await read(Uint8Array.of(0x22, 0xff, 0x22))).toEqual(wholeFile('is not valid UTF-8'))
})

test('a file may be as large as the limit and no larger', async () => {
  const largest = `"${'a'.repeat(limits.setupFileSize - 2)}"`
  expect(await read(largest)).toHaveProperty('value')
  expect(await read(`${largest} `)).toEqual(wholeFile(`is larger than ${limits.setupFileSize} bytes`))
})

test.each([
  ['', 'is not JSON: value expected at line 1, column 1'],
  ['{\n  "a": 1\n  "b": 2\n}', 'is not JSON: comma expected at line 3, column 3'],
  ['{ "a": secret }', 'is not JSON: invalid symbol at line 1, column 8'],
  ['{ "a": 1, }', 'is not JSON: property name expected at line 1, column 11'],
  ['{ // why\n}', 'is not JSON: invalid comment token at line 1, column 3'],
  ['{} {}', 'is not JSON: end of file expected at line 1, column 4'],
  ['{ "a": "open', 'is not JSON: unexpected end of string at line 1, column 8'],
])('broken JSON %j says where', (text, message) => {
  expect(parseDocument(text)).toEqual(wholeFile(message))
})

test('JSON that only looks fine is refused without quoting it', () => {
  for (const text of ['{ "a": 01 }', '{ "a": "tab\there" }', '{ "a": .5 }', '{ "a": "\\x" }']) {
    const read = parseDocument(text)
    expect(read, text).toEqual(wholeFile(expect.stringMatching(/^is not JSON/)))
  }
})

test('every member given twice is named', () => {
  expect(parseDocument('{ "a": 1, "b": [{ "c/d": 1, "c/d": 2 }], "a": 3 }')).toEqual({
    faults: [
      { pointer: '/b/0/c~1d', message: 'is given twice' },
      { pointer: '/a', message: 'is given twice' },
    ],
  })
})

test('text that no database keeps is refused', () => {
  expect(parseDocument('{ "a": "\\u0000", "b": "\\ud800" }')).toMatchObject({
    faults: [{ pointer: '/a' }, { pointer: '/b' }],
  })
})

test('bottomless nesting is refused before it is parsed', () => {
  expect(parseDocument('['.repeat(1_000_000))).toEqual(wholeFile(`nests deeper than ${limits.bodyDepth}`))
})

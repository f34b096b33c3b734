import { limits } from '@telltale/core/limits'
import { expect, test } from 'vitest'
import { parseStrictJson } from './strict-json.ts'

const wholeFile = (message: unknown) => ({ kind: 'malformed', faults: [{ pointer: '', message }] })

test.each([
  ['', 'is not JSON: value expected at line 1, column 1'],
  ['{\n  "a": 1\n  "b": 2\n}', 'is not JSON: comma expected at line 3, column 3'],
  ['{ "a": secret }', 'is not JSON: invalid symbol at line 1, column 8'],
  ['{ "a": 1, }', 'is not JSON: property name expected at line 1, column 11'],
  ['{ // why\n}', 'is not JSON: invalid comment token at line 1, column 3'],
  ['{} {}', 'is not JSON: end of file expected at line 1, column 4'],
  ['{ "a": "open', 'is not JSON: unexpected end of string at line 1, column 8'],
])('broken JSON %j says where', (text, message) => {
  expect(parseStrictJson(text)).toEqual(wholeFile(message))
})

test('JSON that only looks fine is refused without quoting it', () => {
  for (const text of ['{ "a": 01 }', '{ "a": "tab\there" }', '{ "a": .5 }', '{ "a": "\\x" }']) {
    const read = parseStrictJson(text)
    expect(read, text).toEqual(wholeFile(expect.stringMatching(/^is not JSON/)))
  }
})

test('every member given twice is named', () => {
  expect(parseStrictJson('{ "a": 1, "b": [{ "c/d": 1, "c/d": 2 }], "a": 3 }')).toEqual({
    kind: 'malformed',
    faults: [
      { pointer: '/b/0/c~1d', message: 'is duplicated' },
      { pointer: '/a', message: 'is duplicated' },
    ],
  })
})

test('numbers that would become other ones are refused', () => {
  expect(parseStrictJson('{ "a": 1e999, "b": [-1e999], "c": 9007199254740993 }')).toMatchObject({
    kind: 'unstorable',
    faults: [{ pointer: '/a' }, { pointer: '/b/0' }, { pointer: '/c' }],
  })
  const kept =
    '[9007199254740991, 9007199254740992, -9007199254740994, 100000000000000000000, 1e308, 0.1, 1.5e3, -0]'
  expect(parseStrictJson(kept)).toEqual({ value: JSON.parse(kept) })
})

test('text that no database keeps is refused', () => {
  expect(parseStrictJson('{ "a": "\\u0000", "b": "\\ud800" }')).toMatchObject({
    kind: 'unstorable',
    faults: [{ pointer: '/a' }, { pointer: '/b' }],
  })
})

test('unlimited nesting is rejected before it is parsed', () => {
  expect(parseStrictJson('['.repeat(1_000_000))).toEqual(
    wholeFile(`is nested deeper than ${limits.bodyDepth}`),
  )
})

import { describe, expect, test } from 'vitest'
import type { Json } from './flag/json.ts'
import type { Removal } from './fold/unit.ts'
import { lines, removals } from './removal-examples.ts'
import { removeFromFiles } from './remove-from-files.ts'

const removalOf = (value: Json = true, more: Partial<Removal> = {}): Removal => ({
  key: 'new-checkout',
  value,
  variation: undefined,
  otherVariations: [],
  names: { wrappers: [], constants: {} },
  ...more,
})

describe('a flag is removed from a file', () => {
  test.each(removals)('%s', (...[, before, after, value = true, more = {}]) => {
    const removal = removalOf(value, more)
    const path = /<\w|<\//.test(before) ? 'file.tsx' : 'file.ts'
    const { changed, left } = removeFromFiles([{ path, text: before }], removal)
    expect(changed[0]?.text).toBe(after)
    expect(left.map(({ reason }) => reason)).toEqual(
      before.includes('const Keys') ? ['The key is used as a text.'] : [],
    )
    // Once more changes nothing.
    expect(removeFromFiles([{ path, text: after }], removal).changed).toEqual([])
  })
})

test('constants, variables and functions are followed from file to file', () => {
  const files = [
    { path: 'src/keys.ts', text: lines("export const NEW = 'new-checkout'", "export const OTHER = 'other'") },
    {
      path: 'src/checkout.ts',
      text: lines(
        "import { NEW } from './keys.js'",
        'export const useNew = () => useFlag(NEW, false)',
        'export const x = 1',
      ),
    },
    {
      path: 'src/page.ts',
      text: lines("import { useNew, x } from './checkout'", 'export const page = useNew() ? x : 2'),
    },
  ]
  const { changed, left } = removeFromFiles(files, removalOf())
  expect(Object.fromEntries(changed.map(({ path, text }) => [path, text]))).toEqual({
    'src/keys.ts': lines("export const OTHER = 'other'"),
    'src/checkout.ts': lines('export const x = 1'),
    'src/page.ts': lines("import { x } from './checkout'", 'export const page = x'),
  })
  expect(left).toEqual([])
})

test('what cannot be removed is listed with its place', () => {
  const text = lines(
    "const details = useFlagDetails('new-checkout', false)",
    'log(details.reason)',
    "preload('new-checkout')",
    "let isNew = flags.getBoolean('new-checkout', false)",
    'if (late) isNew = false',
    'if (isNew) a()',
    "const bootstrap = { 'new-checkout': true }",
    '// About new-checkout.',
  )
  const { left } = removeFromFiles(
    [
      { path: 'a.ts', text },
      { path: 'b.ts', text: "new-checkout ( 'x" },
    ],
    removalOf(),
  )
  expect(left.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([
    'b.ts:1:1',
    'a.ts:1:17',
    'a.ts:3:9',
    'a.ts:4:5',
    'a.ts:7:21',
    'a.ts:8:1',
  ])
})

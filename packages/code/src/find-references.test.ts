import { expect, test } from 'vitest'
import { findReferences } from './find-references.ts'

const search = {
  keys: new Set(['new-checkout', 'beta']),
  names: {
    wrappers: [
      { name: 'isEnabled', argument: 1 },
      { name: 'useBeta', flag: 'beta' },
    ],
    constants: { 'Flags.NewCheckout': 'new-checkout' },
  },
  contextLines: 1,
}

const found = (file: string, text: string) =>
  findReferences(file, text, search).map(({ flag, line, kind }) => `${line} ${kind} ${flag}`)

test('TypeScript is read by its syntax: reads, keys, constants and wrappers, but no comments', () => {
  const text = [
    "const on = flags.getBoolean('new-checkout', false)",
    '// new-checkout and beta in a comment',
    "const title = 'A beta of new-checkout'",
    "if (isEnabled(user, 'beta') && useBeta()) log(Flags.NewCheckout)",
    "export const Keys = { checkout: 'new-checkout' }",
    'const page = <Feature flag="beta" />',
  ].join('\n')
  expect(found('a.tsx', text)).toEqual([
    '1 read new-checkout',
    '4 read beta',
    '4 name new-checkout',
    '5 key new-checkout',
    '6 key beta',
  ])
})

test('other languages, and what is no program, are searched by text, with whole keys', () => {
  expect(found('a.py', 'client.get("beta")\nalphabeta = "beta-2"\n# new-checkout')).toEqual([
    '1 text beta',
    '3 text new-checkout',
  ])
  expect(found('a.ts', "this is no program 'beta'")).toEqual(['1 text beta'])
})

test('lines around a reference are included, or none', () => {
  const text = "one\ntwo('beta')\nthree\nfour"
  expect(findReferences('a.rb', text, search)[0]?.context).toBe("one\ntwo('beta')\nthree")
  expect(findReferences('a.rb', text, { ...search, contextLines: undefined })[0]?.context).toBe('')
})

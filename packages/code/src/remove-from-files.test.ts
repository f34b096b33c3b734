import { describe, expect, test } from 'vitest'
import type { Json } from './flag/json.ts'
import type { Removal } from './fold/unit.ts'
import { removeFromFiles } from './remove-from-files.ts'

const removalOf = (value: Json = true, more: Partial<Removal> = {}): Removal => ({
  key: 'new-checkout',
  value,
  variation: undefined,
  otherVariations: [],
  names: { wrappers: [], constants: {} },
  ...more,
})

const lines = (...text: string[]) => `${text.join('\n')}\n`

/** One file, whole: before and after. */
const table: [way: string, before: string, after: string, value?: Json, more?: Partial<Removal>][] = [
  [
    'if and else',
    lines(
      "import { flags } from './flags'",
      '',
      'export function checkout() {',
      '  // The new way.',
      "  if (flags.getBoolean('new-checkout', false)) {",
      '    // One page.',
      '    onePage()',
      '  } else {',
      '    oldPages()',
      '  }',
      '  done()',
      '}',
    ),
    lines(
      'export function checkout() {',
      '  // The new way.',
      '  // One page.',
      '  onePage()',
      '  done()',
      '}',
    ),
  ],
  [
    'a hook in a variable, elements of JSX, and the import of what is gone',
    lines(
      "import { useFlag } from '@telltale/browser/react'",
      "import { NewCart } from './new-cart'",
      "import { OldCart } from './old-cart'",
      '',
      'export function Cart() {',
      "  const isNew = useFlag('new-checkout', false)",
      '  return (',
      '    <main>',
      '      {isNew && <p>New</p>}',
      '      {!isNew && (',
      '        <p>Old</p>',
      '      )}',
      '      {isNew ? (',
      '        <NewCart />',
      '      ) : (',
      '        <OldCart />',
      '      )}',
      '    </main>',
      '  )',
      '}',
    ),
    lines(
      "import { NewCart } from './new-cart'",
      '',
      'export function Cart() {',
      '  return (',
      '    <main>',
      '      <p>New</p>',
      '      <NewCart />',
      '    </main>',
      '  )',
      '}',
    ),
  ],
  [
    'early return, and the rest of the function',
    lines(
      'function old() {',
      '  return 1',
      '}',
      'export function price() {',
      "  if (client.getBooleanValue('new-checkout', false)) {",
      '    return 2',
      '  }',
      '  const sum = old()',
      '  return sum',
      '}',
    ),
    lines('export function price() {', '  return 2', '}'),
  ],
  [
    'early return of the other side',
    lines(
      'export function price() {',
      "  if (!flags.getBoolean('new-checkout', false)) return 1",
      '',
      '  return 2',
      '}',
    ),
    lines('export function price() {', '  return 2', '}'),
  ],
  [
    'effects in a dropped condition',
    lines("if (count() && flags.getBoolean('new-checkout', false)) {", '  a()', '} else {', '  b()', '}'),
    lines('count()', 'b()'),
    false,
  ],
  [
    'a condition of which a part is left',
    lines(
      "if (user.isAdmin && flags.getBoolean('new-checkout', false)) a()",
      "if (flags.getBoolean('new-checkout', false) || late()) b()",
    ),
    lines('if (user.isAdmin) a()', 'b()'),
  ],
  [
    'ternary, ??, || and && as values',
    lines(
      "export const a = flags.getBoolean('new-checkout', false) ? one(1) : two(2)",
      "export const b = flags.getBoolean('new-checkout', false) && three",
      "export const c = (flags.getBoolean('new-checkout', false) || four) + 1",
      "export const d = x > 1 && flags.getBoolean('new-checkout', false)",
      "export const e = flags.getJson('new-checkout', null) ?? five",
    ),
    lines(
      'export const a = one(1)',
      'export const b = three',
      'export const c = true + 1',
      'export const d = x > 1',
      'export const e = true',
    ),
  ],
  [
    'comparisons with strings, and derived values',
    lines(
      "const variation = flags.getString('new-checkout', 'control')",
      "const isTreatment = variation === 'treatment'",
      "export const title = isTreatment ? 'New' : 'Old'",
      "export const size = variation !== 'control' ? 2 : 1",
      'track(variation)',
    ),
    lines("export const title = 'New'", 'export const size = 2', "track('treatment')"),
    'treatment',
  ],
  [
    'comparisons with numbers',
    lines(
      "const limit = flags.getNumber('new-checkout', 5)",
      'if (limit > 10) wide()',
      'else narrow()',
      'show(limit * 2)',
    ),
    lines('wide()', 'show(40)'),
    20,
  ],
  [
    'switch with fall through and default',
    lines(
      "switch (flags.getString('new-checkout', 'a')) {",
      "  case 'a':",
      '    one()',
      '    break',
      "  case 'b':",
      '    // Both.',
      '    two()',
      "  case 'c': {",
      '    three()',
      '    break',
      '  }',
      '  default:',
      '    four()',
      '}',
    ),
    lines('// Both.', 'two()', 'three()'),
    'b',
  ],
  [
    'switch that returns',
    lines(
      'export function f() {',
      "  switch (flags.getString('new-checkout', 'a')) {",
      "    case 'a':",
      '      return 1',
      '    default:',
      '      return 2',
      '  }',
      '}',
    ),
    lines('export function f() {', '  return 2', '}'),
    'z',
  ],
  [
    'destructured details',
    lines(
      "const { value } = useFlagDetails('new-checkout', false)",
      "const { value: isNew } = useBooleanFlagDetails('new-checkout', false)",
      'if (value && isNew) a()',
      "if (useFlagDetails('new-checkout', false).value) b()",
    ),
    lines('a()', 'b()'),
  ],
  [
    'the hook of OpenFeature with the same name',
    lines(
      "import { useFlag } from '@openfeature/react-sdk'",
      "const flag = useFlag('new-checkout', false)",
      'if (flag.value) a()',
      'else b()',
    ),
    lines('a()'),
  ],
  [
    'a promise',
    lines(
      "import { OpenFeature } from '@openfeature/server-sdk'",
      'const client = OpenFeature.getClient()',
      "if (await client.getBooleanValue('new-checkout', false, { targetingKey })) a()",
      "export const later = () => client.getBooleanValue('new-checkout', false)",
    ),
    lines('a()', 'export const later = () => Promise.resolve(true)'),
  ],
  [
    'objects named by variation',
    lines(
      "import { Big } from './big'",
      "import { Small } from './small'",
      'const views = { big: Big, small: Small }',
      "export const View = views[flags.getString('new-checkout', 'small')]",
      "export const word = { big: 'Large', small: 'Little' }[flags.getString('new-checkout', 'small')]",
    ),
    lines("import { Big } from './big'", 'export const View = Big', "export const word = 'Large'"),
    'big',
  ],
  [
    'templates',
    lines("export const name = `a-${flags.getString('new-checkout', 'x')}-${id}`"),
    lines('export const name = `a-b-${id}`'),
    'b',
  ],
  [
    'constants of the key, in this file and configured',
    lines(
      "const KEY = 'new-checkout'",
      "const Keys = { checkout: 'new-checkout', other: 'other' } as const",
      'if (flags.getBoolean(KEY, false)) a()',
      'if (flags.getBoolean(Keys.checkout, false)) b()',
      'if (flags.getBoolean(Flags.NewCheckout, false)) c()',
      'if (flags.getBoolean(Keys.other, false)) d()',
    ),
    lines(
      "const Keys = { checkout: 'new-checkout', other: 'other' } as const",
      'a()',
      'b()',
      'c()',
      'if (flags.getBoolean(Keys.other, false)) d()',
    ),
    true,
    { names: { wrappers: [], constants: { 'Flags.NewCheckout': 'new-checkout' } } },
  ],
  [
    'wrappers, in this file and configured',
    lines(
      "const isNew = () => flags.getBoolean('new-checkout', false)",
      'function useNew() {',
      "  return useFlag('new-checkout', false)",
      '}',
      'if (isNew()) a()',
      'if (useNew()) b()',
      "if (isEnabled(user, 'new-checkout')) c()",
      'if (hasNewCheckout()) d()',
    ),
    lines('a()', 'b()', 'c()', 'd()'),
    true,
    {
      names: {
        wrappers: [
          { name: 'isEnabled', argument: 1 },
          { name: 'hasNewCheckout', flag: 'new-checkout' },
        ],
        constants: {},
      },
    },
  ],
  [
    'nested functions and closures',
    lines(
      'export function outer() {',
      "  const isNew = flags.getBoolean('new-checkout', false)",
      '  return items.map((item) => {',
      '    if (isNew) {',
      '      const price = item.price',
      '      return () => (isNew ? price : 0)',
      '    }',
      '    return () => old(item)',
      '  })',
      '}',
    ),
    lines(
      'export function outer() {',
      '  return items.map((item) => {',
      '    const price = item.price',
      '    return () => price',
      '  })',
      '}',
    ),
  ],
  [
    'names that are taken keep their block',
    lines(
      'const a = 1',
      "if (flags.getBoolean('new-checkout', false)) {",
      '  const a = 2',
      '  use(a)',
      '}',
      'use(a)',
    ),
    lines('const a = 1', '{', '  const a = 2', '  use(a)', '}', 'use(a)'),
  ],
  [
    'spreads and properties',
    lines(
      "const isNew = flags.getBoolean('new-checkout', false)",
      'export const list = [a, ...(isNew ? [b, c] : []), ...(isNew ? [] : [d])]',
      'export const item = { a, ...(isNew && { b: 1 }), ...(!isNew && { c: 1 }), isNew }',
    ),
    lines('export const list = [a, b, c]', 'export const item = { a, b: 1, isNew: true }'),
  ],
  [
    'dependencies of hooks',
    lines(
      "const isNew = useFlag('new-checkout', false)",
      'useEffect(() => {',
      '  if (isNew) load(id)',
      '}, [id, isNew])',
    ),
    lines('useEffect(() => {', '  load(id)', '}, [id])'),
  ],
  [
    'members of a JSON flag',
    lines(
      "const theme = flags.getJson('new-checkout', { dark: false, name: 'a' })",
      'if (theme.dark) dim()',
      'paint(theme.name)',
    ),
    lines('dim()', "paint('night')"),
    { dark: true, name: 'night' },
  ],
  [
    'tests of the other side',
    lines(
      "import { old } from './old'",
      "test('new checkout is on: one page', () => {})",
      '',
      '// Goes with the flag.',
      "test('newCheckout off: three pages', () => {",
      '  expect(old()).toBe(1)',
      '})',
      '',
      "describe('without new-checkout', () => {})",
      "test('other things are off', () => {})",
    ),
    lines("test('new checkout is on: one page', () => {})", '', "test('other things are off', () => {})"),
  ],
  [
    'else if in a chain',
    lines(
      'if (a) one()',
      "else if (flags.getBoolean('new-checkout', false)) two()",
      'else three()',
      'if (b) four()',
      "else if (!flags.getBoolean('new-checkout', false)) five()",
    ),
    lines('if (a) one()', 'else two()', 'if (b) four()'),
  ],
  [
    'texts of several lines keep their indentation',
    lines("if (flags.getBoolean('new-checkout', false)) {", '  show(`', '    text', '  `)', '}'),
    lines('show(`', '    text', '  `)'),
  ],
]

describe('a flag is removed from a file', () => {
  test.each(table)('%s', (_way, before, after, value = true, more = {}) => {
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

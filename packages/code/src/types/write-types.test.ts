import { expect, test } from 'vitest'
import { schemaType } from './schema-type.ts'
import { type TypedFlag, writeTypes } from './write-types.ts'

test.each<[schema: unknown, type: string]>([
  [{ type: 'string', pattern: '^a' }, 'string'],
  [{ type: ['integer', 'null'] }, 'number | null'],
  [{ enum: ['a', 2, null, { b: [1] }] }, '"a" | 2 | null | { "b": [1] }'],
  [{ const: true }, 'true'],
  [{ type: 'array', items: { type: 'boolean' } }, 'Array<boolean>'],
  [{ type: 'array' }, 'unknown[]'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
  [
    { properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'], additionalProperties: false },
    '{ "a": string; "b-c"?: unknown }',
  ],
  [{ properties: { a: true } }, '{ "a"?: unknown; [name: string]: unknown }'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
  [{ allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, '(string) & ("a" | "b")'],
  [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, 'string'],
  [{ $ref: 'https://example.com/schema.json' }, 'unknown'],
  [{ $ref: '#' }, 'unknown'],
  [
    { type: 'object', properties: { inner: { $ref: '#' } }, additionalProperties: false },
    '{ "inner"?: { "inner"?: unknown } }',
  ],
  [
    { type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
    'Record<string, unknown>',
  ],
  [{}, 'unknown'],
  [false, 'never'],
  [null, 'unknown'],
])('schema %j', (schema, type) => {
  expect(schemaType(schema)).toBe(type)
})

test('references that unfold without bound give a type of bounded length', () => {
  const names = Array.from({ length: 30 }, (_, index) => `part${index}`)
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
  const wide = { type: 'object', properties }
  const type = schemaType({ ...wide, $defs: Object.fromEntries(names.map((name) => [name, wide])) })
  expect(type.length).toBeLessThan(500_000)
  expect(type).toContain('"part29"')
})

const flag: TypedFlag = {
  key: 'banner',
  name: 'Banner',
  description: '',
  valueType: 'json',
  variations: [],
  valueSchema: null,
}

test('variations of a JSON flag without a schema are examples', () => {
  const values = [
    { a: 1, names: [] },
    { a: 2, names: ['x', null], more: {} },
  ]
  const variations = values.map((value, index) => ({ key: `v${index}`, value }))
  expect(writeTypes([{ ...flag, variations }])).toContain(
    '"banner": { "a": number; "names": Array<string | null>; "more"?: Record<string, unknown> }',
  )
})

test('texts of a project cannot leave their comment', () => {
  const written = writeTypes([{ ...flag, name: 'Two\u2028lines', description: 'One */ two\r\nthree' }])
  expect(written).toContain('     * One *\\/ two\n     * three\n     */')
  expect(written.match(/\*\//g)).toHaveLength(1)
})

test('the order of the flags does not matter', () => {
  const other = { ...flag, key: 'a', valueType: 'boolean' as const }
  expect(writeTypes([flag, other])).toBe(writeTypes([other, flag]))
  expect(writeTypes([])).toContain('interface TelltaleFlagTypes {\n  }')
})

import { expect, test } from 'vitest'
import { parseVariations, startingLines } from './parse-variations.ts'

test('each line is a variation, its value of the type of the flag', () => {
  expect(parseVariations('string', 'a = Hello = you\n\n b=').variations).toEqual([
    { key: 'a', value: 'Hello = you' },
    { key: 'b', value: '' },
  ])
  expect(parseVariations('number', 'a = 1e3\nb = -2.5').variations.map(({ value }) => value)).toEqual([
    1000, -2.5,
  ])
  expect(parseVariations('json', 'a = {"n": null}').variations).toEqual([{ key: 'a', value: { n: null } }])
  for (const type of ['string', 'number', 'json'] as const) {
    expect(parseVariations(type, startingLines[type]).variations).toHaveLength(2)
  }
})

test.each([
  ['string', '', 'at least one'],
  ['string', 'a', 'Line 1'],
  ['string', 'a = 1\nNo Key = 2', 'Line 2'],
  ['string', 'a = 1\na = 2', 'twice'],
  ['number', 'a = ten', 'no number'],
  ['number', 'a = ', 'no number'],
  ['json', 'a = {', 'no JSON'],
] as const)('%s: %j is refused', (type, lines, reason) => {
  const parsed = parseVariations(type, lines)
  expect('fault' in parsed ? parsed.fault : '').toContain(reason)
})

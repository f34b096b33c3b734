import { parseFields, parseFilter, printChip } from '@telltale/core/query/filter'
import { expect, test } from 'vitest'
import { chipOfValue } from './chip-of-value.ts'

function chipText(field: string, value: string): string | undefined {
  const parsed = parseFields(field)
  if (!parsed.ok || parsed.result[0] === undefined) throw new Error(`${field} is no field`)
  const chip = chipOfValue(parsed.result[0], value)
  return chip && printChip(chip)
}

test.each([
  ['browser', 'Mobile Safari', 'browser:"Mobile Safari"'],
  ['browser', '', 'browser:""'],
  ['flag:checkout', 'new', 'flag:checkout=new'],
  ['flag:checkout', '', '-flag:checkout'],
  ['attr:plan', '', '-attr:plan'],
  ['status', '503', 'status:503'],
  ['lcp', '', '-lcp:*'],
])('%s with the value "%s" becomes the filter %s', (field, value, text) => {
  expect(chipText(field, value)).toBe(text)
  expect(parseFilter(text).ok).toBe(true)
})

test('events without a session cannot be filtered for', () => {
  expect(chipText('session', '')).toBeUndefined()
})

import { expect, test } from 'vitest'
import { choicesOf, suggestFields, suggestValues, type Wanted, wantedBy } from './filter-suggestions.ts'

test('a word without a colon suggests fields', () => {
  expect(wantedBy('')).toEqual({ kind: 'field', head: '', typed: '' })
  expect(wantedBy('browser:Safari -pa')).toEqual({ kind: 'field', head: 'browser:Safari -', typed: 'pa' })
  expect(suggestFields({ kind: 'field', head: '-', typed: 'entry' }, ['page', 'entry-page'])).toEqual([
    { value: '-entry-page:', note: 'First page', isWhole: false },
  ])
})

test('after the colon its values are suggested, again after each comma', () => {
  expect(wantedBy('page:/ca')).toEqual({
    kind: 'value',
    head: 'page:',
    field: { field: 'page', key: '' },
    typed: '/ca',
  })
  expect(wantedBy('x browser:Safari,Fi')).toMatchObject({ head: 'x browser:Safari,', typed: 'Fi' })
})

test('a flag suggests its key first, then its variations', () => {
  expect(wantedBy('flag:check')).toMatchObject({ kind: 'value', head: 'flag:', typed: 'check' })
  expect(wantedBy('flag:checkout=ne')).toEqual({
    kind: 'value',
    head: 'flag:checkout=',
    field: { field: 'flag', key: 'checkout' },
    typed: 'ne',
  })
})

test('comparisons, quoted words and unknown fields have no suggestions', () => {
  for (const text of ['lcp:>2', 'page:~ca', '"pay n', 'nonsense:x', 'two words.']) {
    expect(wantedBy(text)).toEqual({ kind: 'nothing' })
  }
})

test("suggested values are quoted as needed, and a flag's key is incomplete", () => {
  const valueWanted = (text: string) => wantedBy(text) as Extract<Wanted, { kind: 'value' }>
  expect(suggestValues(valueWanted('page:'), [{ value: '/pay now', note: '12' }])).toEqual([
    { value: 'page:"/pay now"', note: '12', isWhole: true },
  ])
  expect(suggestValues(valueWanted('flag:ch'), [{ value: 'checkout' }])).toEqual([
    { value: 'flag:checkout=', isWhole: false },
  ])
  expect(choicesOf(valueWanted('failed:t'))).toEqual([{ value: 'true' }])
})

import { expect, test } from 'vitest'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { mergeConfigs } from './merge-config.ts'
import { isOffSwitch, patchConfig } from './patch-config.ts'

const rule = (id: string, value = 'pro', variation = 'on'): FlagConfigDraft['rules'][number] => ({
  id,
  description: '',
  when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value }] },
  serve: { variation },
})

const base: FlagConfigDraft = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [rule('a'), rule('b')],
  fallthrough: { variation: 'off' },
}

test('merges changes of different parts', () => {
  const mine = { ...base, fallthrough: { variation: 'on' } }
  const theirs = { ...base, enabled: false }
  expect(mergeConfigs(base, { mine, theirs })).toEqual({
    merged: { ...base, enabled: false, fallthrough: { variation: 'on' } },
  })
})

test('different changes of the same part overlap, identical ones do not', () => {
  const mine = { ...base, fallthrough: { variation: 'on' } }
  const theirs = { ...base, fallthrough: { variation: 'other' } }
  expect(mergeConfigs(base, { mine, theirs })).toEqual({ overlaps: ['/fallthrough'] })
  expect(mergeConfigs(base, { mine, theirs: mine })).toEqual({ merged: mine })
})

test('one side reorders and adds rules while the other changes one', () => {
  const mine = { ...base, rules: [rule('b'), rule('new'), rule('a')] }
  const theirs = { ...base, rules: [rule('a', 'free'), rule('b')] }
  expect(mergeConfigs(base, { mine, theirs })).toEqual({
    merged: { ...base, rules: [rule('b'), rule('new'), rule('a', 'free')] },
  })
})

test('a rule removed by one side and changed by the other is an overlap', () => {
  const mine = { ...base, rules: [rule('b')] }
  const theirs = { ...base, rules: [rule('a', 'free'), rule('b')] }
  expect(mergeConfigs(base, { mine, theirs })).toEqual({ overlaps: ['/rules'] })
  expect(mergeConfigs(base, { mine: theirs, theirs: mine })).toEqual({ overlaps: ['/rules'] })
})

test('two orders of rules overlap, and so do two descriptions of one rule', () => {
  const mine = { ...base, rules: [rule('b'), rule('a')] }
  const theirs = { ...base, rules: [rule('a')] }
  expect(mergeConfigs(base, { mine, theirs })).toEqual({ overlaps: ['/rules'] })
  const reworded = (value: string) => ({ ...base, rules: [rule('a', value), rule('b')] })
  expect(mergeConfigs(base, { mine: reworded('x'), theirs: reworded('y') })).toEqual({
    overlaps: ['/rules/0'],
  })
})

test('the off switch turns off and changes nothing else', () => {
  expect(isOffSwitch(base, patchConfig(base, { enabled: false }))).toBe(true)
  expect(isOffSwitch(base, patchConfig(base, { enabled: false, offVariation: 'on' }))).toBe(false)
  const off = patchConfig(base, { enabled: false })
  expect(isOffSwitch(off, off)).toBe(false)
  expect(isOffSwitch(off, base)).toBe(false)
})

import { expect, test } from 'vitest'
import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { diffConfigs } from './diff-configs.ts'

const [first, second] = ['0191a0c4-0000-7000-8000-000000000001', '0191a0c4-0000-7000-8000-000000000002']
const rule = (id: string, description: string, variation = 'on'): FlagConfigDraft['rules'][number] => ({
  id,
  description,
  when: { match: 'all', of: [{ attribute: 'plan', operator: 'equals', value: 'pro' }] },
  serve: { variation },
})
const config: FlagConfigDraft = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [rule(first, 'Staff'), rule(second, 'Trade')],
  fallthrough: {
    split: [
      { variation: 'on', weight: 25_000 },
      { variation: 'off', weight: 75_000 },
    ],
  },
}
const changed = (before: FlagConfigDraft | undefined, after: FlagConfigDraft) =>
  diffConfigs(before, after)
    .filter(({ kind }) => kind !== 'same')
    .map(({ kind, text }) => ({ less: '-', more: '+', same: ' ' })[kind] + text)

test('compares each share with its own', () => {
  const split = [
    { variation: 'on', weight: 50_000 },
    { variation: 'off', weight: 50_000 },
  ]
  expect(changed(config, { ...config, fallthrough: { split } })).toEqual([
    '-  serve 25% on',
    '+  serve 50% on',
    '-  serve 75% off',
    '+  serve 50% off',
  ])
})

test('a new rule is entirely new, and shares no line with the following ones', () => {
  const before = { ...config, rules: [] }
  expect(changed(before, { ...config, rules: [rule(first, 'Staff')] })).toEqual([
    '+rule  Staff',
    '+  plan is pro',
    '+  serve on',
  ])
})

test('removed parts are shown at their former position', () => {
  const lines = diffConfigs(config, { ...config, rules: [rule(second, 'Trade')] })
  expect(lines.map(({ text }) => text).indexOf('rule  Staff')).toBeLessThan(
    lines.map(({ text }) => text).indexOf('rule  Trade'),
  )
  expect(changed(config, { ...config, rules: [rule(second, 'Trade')] })).toHaveLength(3)
})

test('a reordered rule is listed once, with its changes', () => {
  const after = { ...config, rules: [rule(second, 'Trade', 'off'), rule(first, 'Staff')] }
  expect(changed(config, after)).toEqual([
    '-  serve on',
    '+  serve off',
    '-rules in this order: Staff, Trade',
    '+rules in this order: Trade, Staff',
  ])
})

test('the first version is entirely new, and equal versions have no changes', () => {
  expect(diffConfigs(undefined, config).every(({ kind }) => kind === 'more')).toBe(true)
  expect(changed(config, config)).toEqual([])
})

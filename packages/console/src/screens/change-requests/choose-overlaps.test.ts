import { mergeConfigs } from '@telltale/core/changes/merge-config'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { expect, test } from 'vitest'
import { chooseOverlaps, ruleAt } from './choose-overlaps.ts'

const rule = (id: string, variation: string): FlagConfigDraft['rules'][number] => ({
  id,
  description: `Rule of ${id}`,
  when: { match: 'all', of: [] },
  serve: { variation },
})
const base: FlagConfigDraft = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [rule('a', 'off'), rule('b', 'off')],
  fallthrough: { variation: 'off' },
}
const ids = (config: FlagConfigDraft | undefined) => config?.rules.map(({ id }) => id)

test('choosing each overlapping part is sufficient; other changes are kept', () => {
  const mine = { ...base, offVariation: 'mine', fallthrough: { variation: 'mine' }, enabled: false }
  const theirs = { ...base, offVariation: 'theirs', fallthrough: { variation: 'theirs' } }
  const ground = { base, mine, theirs }
  expect(chooseOverlaps(ground, { '/offVariation': 'mine' })).toBeUndefined()
  expect(chooseOverlaps(ground, { '/offVariation': 'mine', '/fallthrough': 'theirs' })).toEqual({
    ...base,
    enabled: false,
    offVariation: 'mine',
    fallthrough: { variation: 'theirs' },
  })
})

test('an overlapping rule is found at its new position', () => {
  const mine = { ...base, rules: [rule('b', 'mine'), rule('a', 'off')] }
  const theirs = { ...base, rules: [rule('a', 'theirs'), rule('b', 'theirs')] }
  const ground = { base, mine, theirs }
  expect(mergeConfigs(base, ground)).toEqual({ overlaps: ['/rules/0'] })
  expect(ruleAt(ground, '/rules/0')).toMatchObject({
    base: { id: 'b', serve: { variation: 'off' } },
    mine: { serve: { variation: 'mine' } },
    theirs: { serve: { variation: 'theirs' } },
  })
  expect(chooseOverlaps(ground, { '/rules/0': 'theirs' })?.rules).toEqual([
    rule('b', 'theirs'),
    rule('a', 'theirs'),
  ])
})

test('rules that one side removed and the other changed are chosen as a whole', () => {
  const mine = { ...base, rules: [rule('a', 'off')] }
  const theirs = { ...base, rules: [rule('a', 'off'), rule('b', 'theirs')] }
  const ground = { base, mine, theirs }
  expect(mergeConfigs(base, ground)).toEqual({ overlaps: ['/rules'] })
  expect(ids(chooseOverlaps(ground, { '/rules': 'mine' }))).toEqual(['a'])
  expect(ids(chooseOverlaps(ground, { '/rules': 'theirs' }))).toEqual(['a', 'b'])
})

// Compares the blast radius of a change with a brute-force evaluation of every flag for every user.

import { expect, test } from 'vitest'
import type { ConditionGroup } from '../contract/conditions.ts'
import { compileRuleSet } from '../evaluation/compile.ts'
import { evaluate } from '../evaluation/evaluate.ts'
import type { FlagDefinition, RuleSet } from '../evaluation/rule-set.ts'
import { limits } from '../limits.ts'
import { seededRandom } from '../statistics/testing/seeded-random.ts'
import { type Compared, createBlastRadius, type Subject } from './blast-radius.ts'

const people = Array.from(
  { length: 40 },
  (_, index): Subject => ({
    targetingKey: `person-${index}`,
    sessions: index % 3,
    sessionsWithErrors: 0,
    device: '',
    context: { targetingKey: `person-${index}`, age: index, plan: index % 4 === 0 ? 'team' : 'free' },
    read: [],
  }),
)

const olderThan = (value: number): ConditionGroup => ({
  match: 'all',
  of: [{ attribute: 'age', operator: 'greater', value }],
})

function flag(key: string, config: Partial<FlagDefinition['config']>): FlagDefinition {
  return {
    key,
    valueType: 'boolean',
    clientVisible: true,
    variations: [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
    config: {
      enabled: true,
      offVariation: 'off',
      prerequisites: [],
      rules: [],
      salt: key,
      fallthrough: { variation: 'on' },
      ...config,
    },
  }
}

/** Per flag: the users whose variation changes, and the matches per rule of the first flag, by brute force. */
function countAll(before: RuleSet, after: RuleSet, flags: readonly string[]) {
  return flags.map((key) => {
    const turned = people.filter(
      ({ context }) => evaluate(before, key, context).variation !== evaluate(after, key, context).variation,
    )
    return { flag: key, people: turned.length }
  })
}

function count(compared: Compared) {
  const radius = createBlastRadius(compared)
  for (const person of people) radius.add(person)
  return radius.changes()
}

test('in 100 generated rule sets, no user affected by a change of a flag or segment is missed', () => {
  const random = seededRandom(5)
  const under = (end: number) => Math.floor(random.uniform() * end)
  let reached = 0
  for (let world = 0; world < 100; world += 1) {
    const keys = Array.from({ length: 6 }, (_, index) => `flag-${index}`)
    const config = (index: number): Partial<FlagDefinition['config']> => ({
      enabled: random.uniform() < 0.8,
      prerequisites: keys
        .slice(0, index)
        .filter(() => random.uniform() < 0.4)
        .map((key) => ({ flag: key, variation: random.uniform() < 0.7 ? 'on' : 'off' })),
      rules: [
        {
          id: `rule-${index}`,
          description: '',
          when: {
            match: 'all',
            of: [{ operator: random.uniform() < 0.5 ? 'in-segment' : 'not-in-segment', segment: 'old' }],
          },
          serve: { variation: random.uniform() < 0.5 ? 'on' : 'off' },
        },
      ],
      fallthrough: {
        split: {
          id: String(1_000 + index),
          epoch: 1,
          by: 'targetingKey',
          arms: [
            { variation: 'on', weight: 50_000, ranges: [[0, 50_000]] },
            { variation: 'off', weight: 50_000, ranges: [[50_000, 100_000]] },
          ],
        },
      },
    })
    const flags = keys.map((key, index) => flag(key, config(index)))
    const segment = (age: number) => ({ key: 'old', when: olderThan(age) })
    const [saved, moved] = [segment(under(40)), segment(under(40))]
    const before = compileRuleSet({ flags, segments: [saved] })
    const drafted = [flag('flag-0', config(0)), ...flags.slice(1)]
    const changes = [
      { after: compileRuleSet({ flags: drafted, segments: [saved] }), changed: { flag: 'flag-0' } },
      { after: compileRuleSet({ flags, segments: [moved] }), changed: { segment: 'old' } },
    ]
    for (const { after, changed } of changes) {
      const found = count({ before, after, changed, flags: keys })
      expect(found.map(({ flag: key, people: n }) => ({ flag: key, people: n }))).toEqual(
        countAll(before, after, keys),
      )
      reached += found.reduce((sum, one) => sum + one.people, 0)
    }
  }
  expect(reached).toBeGreaterThan(300)
})

test('a prerequisite chain that becomes too long affects the flags at its end, even if the changed flag serves the same', () => {
  const chain = Array.from({ length: limits.prerequisiteDepth + 1 }, (_, index) => `flag-${index}`)
  const linked = chain.map((key, index) =>
    flag(key, { prerequisites: index === 0 ? [] : [{ flag: `flag-${index - 1}`, variation: 'on' }] }),
  )
  const base = flag('base', {})
  const before = compileRuleSet({ flags: [base, ...linked], segments: [] })
  const longer = flag('flag-0', { prerequisites: [{ flag: 'base', variation: 'on' }] })
  const after = compileRuleSet({ flags: [base, longer, ...linked.slice(1)], segments: [] })
  const found = count({ before, after, changed: { flag: 'flag-0' }, flags: chain })
  expect(found.map(({ people: n }) => n)).toEqual(countAll(before, after, chain).map(({ people: n }) => n))
  expect(found.at(-1)?.people).toBe(people.length)
})

test('counts all users served by a rule, whether the change affects them or not', () => {
  const rules = [{ id: 'old', description: '', when: olderThan(9), serve: { variation: 'on' } }]
  const before = compileRuleSet({ flags: [flag('flag-0', {})], segments: [] })
  const after = compileRuleSet({ flags: [flag('flag-0', { rules })], segments: [] })
  const [one] = count({
    before,
    after,
    flags: ['flag-0'],
    changed: { flag: 'flag-0' },
    rules: { flag: 'flag-0', ids: ['old'] },
  })
  expect(one).toMatchObject({ people: 0, rules: [30] })
})

import { configText } from '@telltale/core/changes/config-text'
import { expect, test } from 'vitest'
import { countChanges, draftOf, patched, patchOf } from './draft.ts'
import { draft, rule, split } from './drafts.testing.ts'
import { duplicateRule, moveRule, newRuleId } from './edit-rules.ts'
import { byRuleId, findFaults, stillTrue } from './faults.ts'
import { contextOf, fieldsOf } from './try-context.ts'

test('converts a saved configuration to the draft that would save it', () => {
  const arm = (variation: string, weight: number) => ({ variation, weight, ranges: [], claims: [] })
  const arms = [arm('off', 40_000), arm('on', 60_000)]
  const saved = { ...draft(), fallthrough: { split: { id: '1', epoch: 2, by: 'company', arms } } }
  expect(draftOf({ ...saved, rules: [] })).toEqual(
    draft({ rules: [], fallthrough: split(40_000, 60_000, 'company') }),
  )
})

test('counts changes like a reader, and schedules the changed parts', () => {
  const after = draft({ enabled: false, rules: [rule('b', 'x'), rule('a'), rule('c')] })
  expect(countChanges(draft(), after)).toBe(4)
  expect(countChanges(draft(), draft())).toBe(0)
  expect(patchOf(draft(), after)).toEqual({ enabled: false, rules: after.rules })
  expect(patchOf(draft(), draft())).toBeUndefined()
  expect(patched(draft(), { enabled: false })).toEqual(draft({ enabled: false }))
})

test('rules move within their list, and a copy follows its original', () => {
  const three = draft({ rules: [rule('a'), rule('b'), rule('c')] })
  const ids = (of: { rules: { id: string }[] }) => of.rules.map(({ id }) => id)
  expect(ids(moveRule(three, { id: 'a', to: 2 }))).toEqual(['b', 'c', 'a'])
  expect(ids(moveRule(three, { id: 'c', to: -5 }))).toEqual(['c', 'a', 'b'])
  expect(ids(moveRule(three, { id: 'gone', to: 0 }))).toEqual(['a', 'b', 'c'])
  expect(duplicateRule(three, { id: 'a', copyId: 'd' }).rules[1]).toMatchObject({
    id: 'd',
    description: 'A (copy)',
  })
  expect(newRuleId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('faults from the server stay with their rule when it moves, and disappear when it changes', () => {
  const sent = draft()
  const faults = byRuleId(
    [
      { pointer: '/rules/1/when/of/0/value', message: 'no' },
      { pointer: '/fallthrough/split', message: 'sum' },
    ],
    sent,
  )
  expect(faults[0]?.pointer).toBe('/rules/b/when/of/0/value')
  const moved = moveRule(sent, { id: 'b', to: 0 })
  expect(stillTrue(faults, sent, moved)).toEqual(faults)
  expect(stillTrue(faults, sent, draft({ rules: [rule('a'), rule('b', 'x')] }))).toEqual([faults[1]])
  expect(stillTrue(faults, sent, draft({ fallthrough: { variation: 'on' } }))).toEqual([faults[0]])
})

test('missing values are reported at their rule', () => {
  const faulty = draft({
    prerequisites: [{ flag: '', variation: '' }],
    rules: [
      { ...rule('a', '', split(1, 2)), when: { match: 'all', of: [{ attribute: '', operator: 'is-set' }] } },
    ],
    fallthrough: split(50_000, 50_000, ''),
  })
  expect(findFaults(faulty).map(({ pointer }) => pointer)).toEqual([
    '/prerequisites/0/flag',
    '/rules/a/when/of/0/attribute',
    '/rules/a/serve/split',
    '/fallthrough/by',
  ])
})

test('describes a configuration as text', () => {
  const text = configText(
    draft({
      prerequisites: [{ flag: 'express-pay', variation: 'on' }],
      rules: [
        {
          ...rule('staff'),
          when: {
            match: 'all',
            of: [
              { operator: 'in-segment', segment: 'staff' },
              { match: 'any', of: [{ attribute: 'country', operator: 'in', values: ['GB', 'IE'] }] },
            ],
          },
        },
      ],
      fallthrough: split(66_667, 33_333, 'company'),
    }),
  )
  expect(text.split('\n')).toEqual([
    'the flag is on',
    'when off, serve off',
    'only if express-pay serves on',
    'rule  STAFF',
    '  is in segment staff',
    '  and (',
    '    country is one of GB, IE',
    '  )',
    '  serve on',
    'everyone else',
    '  serve 66.667% off',
    '  serve 33.333% on',
    '  split by company',
  ])
})

test('a context is equivalent as fields and as JSON', () => {
  const context = { targetingKey: 'u_1', age: 5, staff: true, code: '5', tags: ['a'] }
  const { targetingKey, fields } = fieldsOf(context)
  expect(fields).toContainEqual({ name: 'code', text: '"5"' })
  expect(contextOf(targetingKey, fields)).toEqual(context)
  expect(contextOf('', [{ name: ' plan ', text: 'pro' }])).toEqual({ plan: 'pro' })
})

import { expect, test } from 'vitest'
import { consequenceOf } from './consequence.ts'
import { draft, rule, split } from './drafts.testing.ts'

const said = (before = draft(), after = draft()) => {
  const { headline, sentences } = consequenceOf(before, after)
  return [headline, ...sentences]
}

test('turning off affects everyone, whatever the rules', () => {
  expect(said(draft(), draft({ enabled: false }))[0]).toBe('Everyone gets off')
})

test('turning on names the rules that decide from then on', () => {
  expect(said(draft({ enabled: false }), draft({ fallthrough: split(75_000, 25_000) }))).toEqual([
    'The flag turns on',
    'Everyone got off until now.',
    '“A” gives on.',
    '“B” gives on.',
    'Everyone else gets a split (75% off, 25% on).',
  ])
})

test('while the flag is off, only another off variation affects users', () => {
  const off = draft({ enabled: false })
  expect(consequenceOf(off, { ...off, rules: [] })).toMatchObject({ reaches: false })
  expect(said(off, { ...off, offVariation: 'on' })[0]).toBe('Everyone gets on instead of off')
})

test('changed shares are shown with both numbers', () => {
  const before = draft({ fallthrough: split(90_000, 10_000) })
  expect(said(before, draft({ fallthrough: split(75_000, 25_000) }))).toEqual([
    'Everyone else: off 90% → 75%, on 10% → 25%',
  ])
  expect(said(before, draft({ fallthrough: split(90_000, 10_000, 'company') }))).toEqual([
    'Everyone else is reassigned: by company instead of targetingKey',
  ])
})

test('added, removed, reordered and changed rules are distinguished', () => {
  expect(said(draft(), draft({ rules: [rule('b'), rule('c', 'x', { variation: 'off' })] }))).toEqual([
    '2 changes affect users',
    '“A” is deleted: users it matched fall through to later rules.',
    'Users who match “C” get off.',
  ])
  expect(said(draft(), draft({ rules: [rule('b'), rule('a')] }))[0]).toMatch(
    /^The order of the rules changes/,
  )
  expect(said(draft(), draft({ rules: [rule('a', 'trade'), rule('b')] }))[0]).toMatch(
    /^“A” matches different users/,
  )
})

test('a changed description affects no users', () => {
  const reworded = draft({ rules: [{ ...rule('a'), description: 'Else' }, rule('b')] })
  expect(consequenceOf(draft(), reworded)).toMatchObject({ reaches: false })
})

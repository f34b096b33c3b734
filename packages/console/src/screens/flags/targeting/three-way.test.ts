import { expect, test } from 'vitest'
import { draft, rule, split } from './drafts.testing.ts'
import { findChangedParts, mergeDrafts } from './three-way.ts'

const base = draft()
const states = (mine = base, theirs = base) =>
  findChangedParts(base, { mine, theirs }).map(({ id, state }) => `${id} ${state}`)

test('what only one side changed comes together by itself', () => {
  const mine = draft({ fallthrough: split(50_000, 50_000), rules: [rule('a', 'trade'), rule('b')] })
  const theirs = draft({ enabled: false, rules: [rule('a'), rule('b', 'free')] })
  expect(states(mine, theirs)).toEqual(['enabled theirs', 'fallthrough mine', 'a mine', 'b theirs'])
  expect(mergeDrafts(base, { mine, theirs })).toEqual(
    draft({
      enabled: false,
      fallthrough: split(50_000, 50_000),
      rules: [rule('a', 'trade'), rule('b', 'free')],
    }),
  )
})

test('where both changed the same, the choice decides; in the same way is no conflict', () => {
  const mine = draft({ rules: [rule('a', 'x'), rule('b', 'same')] })
  const theirs = draft({ rules: [rule('a', 'y'), rule('b', 'same')] })
  expect(states(mine, theirs)).toEqual(['a conflict', 'b both'])
  const merged = (side: 'mine' | 'theirs') => mergeDrafts(base, { mine, theirs }, { a: side }).rules
  expect(merged('mine')).toEqual(mine.rules)
  expect(merged('theirs')).toEqual(theirs.rules)
})

test('rules that both added are kept, each behind what it stood behind', () => {
  const mine = draft({ rules: [rule('a'), rule('m'), rule('b')] })
  const theirs = draft({ rules: [rule('t'), rule('a'), rule('b'), rule('u')] })
  expect(states(mine, theirs)).toEqual(['m mine', 't theirs', 'u theirs'])
  const ids = mergeDrafts(base, { mine, theirs }).rules.map(({ id }) => id)
  expect(ids).toEqual(['t', 'a', 'm', 'b', 'u'])
})

test('one side removes what the other changed: a conflict, and a choice brings it back', () => {
  const mine = draft({ rules: [rule('b')] })
  const theirs = draft({ rules: [rule('a', 'trade'), rule('b')] })
  expect(states(mine, theirs)).toEqual(['a conflict'])
  expect(mergeDrafts(base, { mine, theirs }, { a: 'mine' }).rules).toEqual([rule('b')])
  expect(mergeDrafts(base, { mine, theirs }, { a: 'theirs' }).rules).toEqual(theirs.rules)
})

test('one side moves rules while the other changes what they say', () => {
  const mine = draft({ rules: [rule('b'), rule('a')] })
  const theirs = draft({ rules: [rule('a', 'free'), rule('b')] })
  expect(states(mine, theirs)).toEqual(['a theirs', 'order mine'])
  expect(mergeDrafts(base, { mine, theirs }).rules).toEqual([rule('b'), rule('a', 'free')])
})

test('two orders of three rules are a conflict', () => {
  const three = draft({ rules: [rule('a'), rule('b'), rule('c')] })
  const mine = draft({ rules: [rule('b'), rule('a'), rule('c')] })
  const theirs = draft({ rules: [rule('a'), rule('c'), rule('b')] })
  expect(findChangedParts(three, { mine, theirs })).toMatchObject([{ id: 'order', state: 'conflict' }])
  expect(mergeDrafts(three, { mine, theirs }, { order: 'theirs' }).rules).toEqual(theirs.rules)
})

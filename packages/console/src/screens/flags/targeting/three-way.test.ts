import { expect, test } from 'vitest'
import { draft, rule, split } from './drafts.testing.ts'
import { findChangedParts, mergeDrafts } from './three-way.ts'

const base = draft()
const states = (mine = base, theirs = base) =>
  findChangedParts(base, { mine, theirs }).map(({ id, state }) => `${id} ${state}`)

test('changes of one side are merged automatically', () => {
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

test('conflicting changes need a choice; identical ones do not', () => {
  const mine = draft({ rules: [rule('a', 'x'), rule('b', 'same')] })
  const theirs = draft({ rules: [rule('a', 'y'), rule('b', 'same')] })
  expect(states(mine, theirs)).toEqual(['a conflict', 'b both'])
  const merged = (side: 'mine' | 'theirs') => mergeDrafts(base, { mine, theirs }, { a: side }).rules
  expect(merged('mine')).toEqual(mine.rules)
  expect(merged('theirs')).toEqual(theirs.rules)
})

test('rules added by both sides are kept, each after its predecessor', () => {
  const mine = draft({ rules: [rule('a'), rule('m'), rule('b')] })
  const theirs = draft({ rules: [rule('t'), rule('a'), rule('b'), rule('u')] })
  expect(states(mine, theirs)).toEqual(['m mine', 't theirs', 'u theirs'])
  const ids = mergeDrafts(base, { mine, theirs }).rules.map(({ id }) => id)
  expect(ids).toEqual(['t', 'a', 'm', 'b', 'u'])
})

test('a rule removed by one side and changed by the other is a conflict, and can be restored', () => {
  const mine = draft({ rules: [rule('b')] })
  const theirs = draft({ rules: [rule('a', 'trade'), rule('b')] })
  expect(states(mine, theirs)).toEqual(['a conflict'])
  expect(mergeDrafts(base, { mine, theirs }, { a: 'mine' }).rules).toEqual([rule('b')])
  expect(mergeDrafts(base, { mine, theirs }, { a: 'theirs' }).rules).toEqual(theirs.rules)
})

test('one side reorders rules while the other changes them', () => {
  const mine = draft({ rules: [rule('b'), rule('a')] })
  const theirs = draft({ rules: [rule('a', 'free'), rule('b')] })
  expect(states(mine, theirs)).toEqual(['a theirs', 'order mine'])
  expect(mergeDrafts(base, { mine, theirs }).rules).toEqual([rule('b'), rule('a', 'free')])
})

test('two different orders of three rules are a conflict', () => {
  const three = draft({ rules: [rule('a'), rule('b'), rule('c')] })
  const mine = draft({ rules: [rule('b'), rule('a'), rule('c')] })
  const theirs = draft({ rules: [rule('a'), rule('c'), rule('b')] })
  expect(findChangedParts(three, { mine, theirs })).toMatchObject([{ id: 'order', state: 'conflict' }])
  expect(mergeDrafts(three, { mine, theirs }, { order: 'theirs' }).rules).toEqual(theirs.rules)
})

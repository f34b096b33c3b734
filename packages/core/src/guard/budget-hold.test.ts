// Rollouts wait while the budget of harm is spent, and only for that.
import { expect, test } from 'vitest'
import { Guarded } from './testing/guarded.ts'
import { gated, minute, plan, wellThen } from './testing/some-rollout.ts'

const spent = { isBudgetSpent: true }

test('a healthy rollout does not advance while the budget is spent, and advances once it is not', () => {
  const guarded = new Guarded()
  guarded.watchFor(40 * minute, wellThen, spent)
  expect(guarded.rollout).toMatchObject({ state: 'holding-undecided', reason: 'budget-spent', stage: 0 })
  expect(guarded.log).toEqual(['start started', 'hold budget-spent'])
  guarded.look(wellThen)
  expect(guarded.rollout).toMatchObject({ state: 'running', stage: 1, reason: undefined })
})

test('it is still rolled back, and an undecided one is not shipped by policy', () => {
  const harmful = new Guarded()
  harmful.watchFor(40 * minute, wellThen, spent)
  harmful.look({ lcp: 'regressed' }, spent)
  expect(harmful.rollout.state).toBe('rolled-back')

  const undecided = new Guarded({ ...plan, timeBox: 40 * minute, whenUndecided: 'ship', shippedBy: 'ada' })
  undecided.watchFor(50 * minute, {}, spent)
  expect(undecided.rollout).toMatchObject({ reason: 'budget-spent', stage: 0 })
})

test('a member who continues needs to override it, and the log says so', () => {
  const guarded = new Guarded()
  guarded.watchFor(40 * minute, wellThen, spent)
  expect(guarded.act('advance', { budget: 'spent' })).toBe('budget-spent')
  expect(guarded.act('finish', { budget: 'spent' })).toBe('budget-spent')
  expect(guarded.act('advance', { budget: 'overridden' })).toBe('done')
  expect(guarded.log.at(-1)).toBe('advance budget-spent')
  expect(guarded.rollout).toMatchObject({ state: 'running', stage: 1 })
})

test('an approval waits as well; pausing and rolling back do not', () => {
  const guarded = new Guarded(gated)
  guarded.watchFor(31 * minute, wellThen)
  expect(guarded.rollout.state).toBe('holding-approval')
  expect(guarded.act('approve', { by: 'grace', budget: 'spent' })).toBe('budget-spent')
  expect(guarded.act('roll-back', { budget: 'spent' })).toBe('done')
})

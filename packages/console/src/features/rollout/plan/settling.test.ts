import { limits } from '@telltale/core/limits'
import { expect, test } from 'vitest'
import type { Metric } from '../../../api/metrics.ts'
import type { PlaceChoice } from './place-choices.ts'
import { placeServing, planSettling } from './settling.ts'

const day = 86_400_000
const metric = (key: string): Metric => ({
  key,
  name: key,
  builtIn: true,
  event: null,
  filter: '',
  aggregation: 'mean',
  quantile: null,
  cap: null,
  better: 'lower',
  limit: 0.05,
  usualLimit: 0.05,
  createdAt: null,
  unit: 'ms',
  version: 0,
})
const place = (name: string, ...arms: PlaceChoice['arms'][number][]): PlaceChoice => ({
  place: name,
  name,
  arms,
  by: undefined,
})

test('splits both arms in half, with the required users and days, and judges the metric in question first', () => {
  const settling = { people: 75, days: 3.2, limit: 0.02, metric: 'inp', reason: 'Slow with cart = on' }
  const plan = planSettling(settling, 80_000, [metric('lcp'), metric('inp'), metric('orders')])
  expect(plan.stages).toEqual([
    { id: 0, weight: 40_000, minDuration: 4 * day, minUnits: 38, needsApproval: false },
  ])
  expect(plan.metrics?.map(({ metric, role }) => [metric, role])).toEqual([
    ['inp', 'required'],
    ['lcp', 'watched'],
  ])
  expect(
    plan.metrics?.map(({ limit }) => limit),
    'never more than would be settled',
  ).toEqual([0.02, 0.05])
  expect(plan.timeBox, 'not over before it may end').toBe(8 * day)
  const soon = planSettling({ ...settling, days: 0.1, metric: undefined }, 100_000, [metric('lcp')])
  expect(soon.stages?.[0]?.minDuration, 'a whole day at least').toBe(limits.guardDwellBeforeAll)
  const never = planSettling({ ...settling, days: 9_999 }, 100_000, [])
  expect(never.stages?.[0]?.minDuration).toBe(limits.rolloutStageLongest)
})

test('without a split it asks for the users who already have the variation, so that no others are harmed', () => {
  const places = [
    place('rule', { variation: 'on', weight: 100_000 }),
    place('fallthrough', { variation: 'off', weight: 100_000 }),
  ]
  expect(placeServing(places, 'on')?.place).toBe('rule')
  expect(placeServing(places, 'blue')).toBeUndefined()
  const split = place('fallthrough', { variation: 'on', weight: 1 }, { variation: 'off', weight: 99_999 })
  expect(placeServing([split], 'on')).toBeUndefined()
})

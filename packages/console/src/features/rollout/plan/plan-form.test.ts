import { forecastOf } from '@telltale/core/guard/forecast-proposal'
import { limits } from '@telltale/core/limits'
import { expect, test } from 'vitest'
import type { RolloutProposal } from '../../../api/rollouts.ts'
import { choicesAt, placesOf, poolAt } from './place-choices.ts'
import { findFaults } from './plan-faults.ts'
import { moveStage, type PlanForm, planOf, sentOf, withStage } from './plan-form.ts'
import { metricNote } from './plan-words.ts'

const hour = 3_600_000
const stage = (weight: number, minDuration = hour) => ({
  weight,
  minDuration,
  minUnits: 100,
  needsApproval: false,
})
const proposal: RolloutProposal = {
  place: 'fallthrough',
  control: 'off',
  treatment: 'on',
  by: 'targetingKey',
  pool: 100_000,
  unmeasured: null,
  traffic: { units: 70_000, perDay: 10_000, days: 14, reading: 1 },
  stages: [1_000, 50_000, 100_000].map((weight) => ({
    ...stage(weight),
    units: { treatment: 0, control: 0 },
  })),
  timeBox: 48 * hour,
  metrics: [
    {
      metric: 'lcp',
      limit: 0.05,
      role: 'required',
      onRegression: 'roll-back',
      name: 'LCP',
      unit: 'ms',
      measuredIn: 'ms',
      better: 'lower',
      isUsual: true,
      smallest: 0.04,
      smallestIn: [],
      base: 2_000,
      spread: { isQuantile: true, rareShare: null, variancePerUnit: 0.6 },
    },
    {
      metric: 'orders',
      limit: 0.05,
      role: 'watched',
      onRegression: 'roll-back',
      name: 'Orders',
      unit: '',
      measuredIn: 'share',
      better: 'higher',
      isUsual: false,
      smallest: null,
      smallestIn: [],
      base: null,
      spread: { isQuantile: false, rareShare: null, variancePerUnit: null },
    },
  ],
}
const untouched: PlanForm = {
  place: 'fallthrough',
  treatment: 'on',
  control: 'off',
  by: 'targetingKey',
  whenUndecided: 'hold',
  freshDraw: false,
  onSliceHarm: 'roll-back',
  sliceAttribute: '',
  reason: ' ',
  stages: undefined,
  metrics: undefined,
  timeBox: undefined,
  alpha: undefined,
  template: '',
}
const usual = { pool: 100_000, metrics: [] }
const grounds = { pool: 100_000, needsReason: false, better: () => 'lower' as const }

test('an unedited form is the proposal, and is sent without local state', () => {
  const plan = planOf(untouched, proposal, usual)
  expect(sentOf(untouched, plan)).toEqual({
    place: 'fallthrough',
    treatment: 'on',
    control: 'off',
    by: 'targetingKey',
    whenUndecided: 'hold',
    freshDraw: false,
    onSliceHarm: 'roll-back',
    reason: null,
    timeBox: 48 * hour,
    alpha: 0.05,
    stages: [stage(1_000), stage(50_000), stage(100_000)],
    metrics: [{ metric: 'lcp', limit: 0.05, role: 'required', onRegression: 'roll-back' }],
  })
  expect(findFaults(untouched, plan, grounds)).toEqual([])
})

test('without a proposal the default stages are used', () => {
  const { stages, timeBox } = planOf(untouched, undefined, usual)
  expect(stages.at(-1)?.weight).toBe(100_000)
  expect(timeBox).toBe(limits.guardTimeBox)
})

test('every fault is at the field that the server would name', () => {
  const [first, second, third] = planOf(untouched, proposal, usual).stages
  if (!first || !second || !third) throw new Error('three stages')
  const plan = {
    stages: [{ ...first, weight: Number.NaN }, { ...second, weight: 100_000 }, third],
    metrics: [{ metric: 'lcp', limit: 0, role: 'required', onRegression: 'hold' }] as const,
    timeBox: 0,
  }
  const faults = findFaults({ ...untouched, by: '' }, plan, { ...grounds, needsReason: true })
  expect(faults.map(({ pointer }) => pointer)).toEqual([
    '/by',
    '/stages/0/weight',
    '/stages/2/weight',
    '/timeBox',
    '/metrics/0/limit',
    '/reason',
  ])
})

test('a stage is added at half the distance, and reordered within the list', () => {
  const { stages } = planOf({ ...untouched, stages: [{ id: 4, ...stage(50_000) }] }, proposal, usual)
  const more = withStage(stages, 100_000)
  expect(more.map(({ id, weight }) => [id, weight])).toEqual([
    [4, 50_000],
    [5, 75_000],
  ])
  expect(moveStage(more, 1, -3).map(({ id }) => id)).toEqual([5, 4])
  expect(moveStage(more, 0, 9).map(({ id }) => id)).toEqual([5, 4])
})

test('a longer stage has more users and detects smaller harm', () => {
  const short = forecastOf(proposal, planOf({ ...untouched, timeBox: 24 * hour }, proposal, usual))
  const long = forecastOf(proposal, planOf({ ...untouched, timeBox: 96 * hour }, proposal, usual))
  expect(short?.units[0]?.treatment).toBe(100)
  expect(long?.units[0]?.treatment ?? 0).toBeGreaterThan(100)
  const seen = (of: typeof short) => of?.metrics.get('lcp')?.smallest ?? 0
  expect(seen(short)).toBeGreaterThan(seen(long))
})

test('a metric without data says so, and that it would hold the rollout', () => {
  const forecast = forecastOf(proposal, planOf(untouched, proposal, usual))?.metrics.get('orders')
  if (!forecast) throw new Error('orders')
  const planned = { metric: 'orders', limit: 0.05, onRegression: 'hold' } as const
  expect(metricNote({ ...planned, role: 'watched' }, forecast, hour).isTrouble).toBe(false)
  expect(metricNote({ ...planned, role: 'required' }, forecast, hour)).toEqual({
    text: 'No measurements in the last 14 days. If required, it would hold the rollout.',
    isTrouble: true,
  })
})

test('with one served variation any other can be rolled out; with a split both are known', () => {
  const variations = [{ key: 'off' }, { key: 'on' }, { key: 'new' }]
  const arms = [
    { variation: 'off', weight: 70_000, ranges: [] },
    { variation: 'on', weight: 30_000, ranges: [] },
  ]
  const [rule, everyone] = placesOf({
    enabled: true,
    offVariation: 'off',
    prerequisites: [],
    salt: '',
    version: 1,
    savedAt: '',
    rules: [
      {
        id: 'r1',
        description: '',
        when: { match: 'all', of: [] },
        serve: { split: { id: '1', epoch: 1, by: 'team', arms } },
      },
    ],
    fallthrough: { variation: 'off' },
  })
  if (!rule || !everyone) throw new Error('two places')
  expect(rule.name).toBe('Rule 1')
  expect(choicesAt(everyone, variations, {})).toMatchObject({ treatment: 'on', control: 'off' })
  expect(choicesAt(everyone, variations, { treatment: 'off' })).toMatchObject({ treatment: 'on' })
  const split = choicesAt(rule, variations, { treatment: 'on', by: 'typed' })
  expect(split).toEqual({ place: 'r1', treatment: 'on', control: 'off', by: 'team' })
  expect(poolAt(rule, { control: 'off', treatment: 'new' })).toBe(70_000)
})

import { expect, test } from 'vitest'
import type { FlagTelltale, GuardedTelltale, UnguardedTelltale } from '../../api/telltales.ts'
import {
  compareTelltales,
  harmText,
  isOldTelltale,
  needsAttention,
  stateOfTelltale,
  tagOf,
  telltaleText,
} from './telltale-words.ts'

const at = '2026-11-19T14:31:00.000Z'
const worst: NonNullable<FlagTelltale['worst']> = {
  metric: 'inp',
  name: 'Interaction to Next Paint',
  better: 'lower',
  measuredIn: 'ms',
  unit: 'ms',
  state: 'watching',
  missing: null,
  units: { treatment: 900, control: 910 },
  values: { treatment: 173, control: 168 },
  harm: { lower: 0.006, estimate: 0.031, upper: 0.058 },
  limit: 0.05,
  margin: 0.1,
  events: null,
  rateBelow: null,
  quality: null,
  saved: null,
  since: null,
  missingPeople: null,
}
const watching: GuardedTelltale = {
  kind: 'guarded',
  env: 'production',
  flag: 'checkout',
  rollout: 'r',
  state: 'running',
  why: null,
  control: 'off',
  treatment: 'on',
  stage: 3,
  stages: 6,
  weight: 25_000,
  startedAt: at,
  endedAt: null,
  checkedAt: at,
  users: { treatment: 400, control: 400 },
  override: null,
  worst,
}

test('shows the worst metric in its own direction, with its limit', () => {
  expect(stateOfTelltale(watching)).toBe('lifted')
  expect(telltaleText(watching)).toBe('INP p75 +3.1%, limit +5%')
  const orders: FlagTelltale = {
    ...watching,
    worst: {
      ...worst,
      metric: 'orders',
      name: 'Orders',
      better: 'higher',
      limit: 0.03,
      measuredIn: 'share',
      harm: { lower: -0.01, estimate: 0.006, upper: 0.02 },
    },
  }
  expect(telltaleText(orders)).toBe('Orders −0.6%, limit −3%')
})

test('counts users while collecting, and shows nothing without a guard', () => {
  const young: FlagTelltale = {
    ...watching,
    override: 'waiting',
    worst: {
      ...worst,
      state: 'collecting',
      missing: 'too-few-units',
      units: { treatment: 34, control: 300 },
    },
  }
  expect(telltaleText(young)).toBe('34 of 100 users')
  expect(stateOfTelltale(undefined)).toBe('none')
  expect(telltaleText(undefined)).toBeUndefined()
})

test('a completed rollout keeps its numbers and is never outdated; a running one without looks is', () => {
  const passed: FlagTelltale = {
    ...watching,
    state: 'completed',
    endedAt: at,
    worst: { ...worst, harm: { lower: -0.08, estimate: -0.062, upper: -0.04 } },
  }
  expect(telltaleText(passed)).toBe('INP p75 −6.2%, better')
  const later = Date.parse(at) + 301_000
  expect([
    isOldTelltale(passed, later),
    isOldTelltale(watching, later),
    isOldTelltale(watching, Date.parse(at)),
  ]).toEqual([false, true, false])
  expect([passed, watching].toSorted(compareTelltales)).toEqual([watching, passed])
})

test('without a guard, regressions are sorted by the additional affected users', () => {
  const regressed = (flag: string, users: number): UnguardedTelltale => ({
    kind: 'unguarded',
    env: 'production',
    flag,
    split: '7',
    place: 'fallthrough',
    epoch: 1,
    control: 'off',
    treatment: 'on',
    startedAt: at,
    checkedAt: at,
    users: { treatment: 400, control: 400 },
    override: 'fluttering',
    worst: { ...worst, state: 'regressed' },
    regressed: ['inp'],
    harm: { metric: 'inp', usersPerHour: users },
    alpha: 0.02,
  })
  const [few, many] = [regressed('few', 0.4), regressed('many', 1_234.4)]
  expect([watching, few, many].toSorted(compareTelltales)).toEqual([many, few, watching])
  expect([few, many].map(harmText)).toEqual([
    'Less than 1 more affected user/hour',
    'About 1,234 more affected users/hour',
  ])
  expect([stateOfTelltale(many), tagOf(many), tagOf(watching)]).toEqual([
    'fluttering',
    'unguarded',
    undefined,
  ])
  const undecided = { ...few, override: null, worst }
  expect([few, undecided].map((one) => needsAttention(one, Date.parse(at)))).toEqual([true, false])
})

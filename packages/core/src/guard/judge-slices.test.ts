// The error rate of the search: every slice is exactly at its limit, all others are below it, and all looks count.
import { expect, test } from 'vitest'
import { narrowing } from '../narrow-limits.ts'
import type { StageEvents } from '../statistics/event-share.ts'
import { type Random, seededRandom } from '../statistics/testing/seeded-random.ts'
import type { MetricEvidence } from './judge-metric.ts'
import { judgeSlices } from './judge-slices.ts'
import type { JudgedMetric } from './metric-method.ts'
import { levelOfSlices, type SearchedSlice, sliceAttributes } from './slice.ts'

const errors: JudgedMetric = {
  metric: 'errors',
  method: { kind: 'share', measure: 'error', of: 'session' },
  ...{ better: 'lower', limit: 0.25, alphaWeight: 1 },
}
const looks = 30
const share = 0.25
const slices = Object.values(sliceAttributes).flatMap((attribute) =>
  Array.from({ length: narrowing.values }, (_, value) => ({ attribute, value: String(value) })),
)

/** One more of these for each event: a fair coin that knows the design and the ratio. */
function meet(random: Random, events: StageEvents, { count, ratio }: { count: number; ratio: number }): void {
  const inTreatment = (share * ratio) / (share * ratio + 1 - share)
  for (let event = 0; event < count; event += 1)
    events[random.uniform() < inTreatment ? 'treatment' : 'control'] += 1
}

const evidenceOf = (stages: StageEvents[]): MetricEvidence => ({
  ...{ kind: 'events', stages },
  units: { treatment: 5_000, control: 15_000 },
})

/** Whether any slice is ever called harmed. */
function isAnyHarmed(seed: number, level: number): boolean {
  const random = seededRandom(seed)
  const own = slices.map((): StageEvents => ({ treatment: 0, control: 0, share }))
  const rest: StageEvents = { treatment: 5_000, control: 15_000, share }
  for (let look = 0; look < looks; look += 1) {
    for (const events of own) meet(random, events, { count: 8, ratio: 1.25 })
    const searched = slices.map(
      (slice, index): SearchedSlice => ({
        ...{ slice, users: 500 },
        inside: [evidenceOf(own.slice(index, index + 1))],
        outside: [evidenceOf([rest])],
      }),
    )
    const { findings } = judgeSlices(
      [errors],
      { users: 20_000, slices: searched },
      { ...{ searched: [], excluded: [], alphas: [0.05] }, level },
    )
    if (findings.some(({ isHarmed }) => isHarmed)) return true
  }
  return false
}

const errorRate = (level: number, runs: number) =>
  Array.from({ length: runs }, (_, seed) => isAnyHarmed(seed + 1, level)).filter(Boolean).length / runs

test('a rollout at its limits in every slice is called harmed in at most 5 % of cases, at any look', () => {
  expect(errorRate(narrowing.level, 60)).toBeLessThanOrEqual(narrowing.level)
})

test('without the correction for the slices searched, it would be called harmed far more often', () => {
  const each = levelOfSlices(1, { values: narrowing.values, metrics: 1 })
  expect(errorRate(narrowing.level / each, 60)).toBeGreaterThan(2 * narrowing.level)
})

test('the first slices of an attribute with enough users are searched, and no others later', () => {
  const of = (values: readonly number[]): SearchedSlice[] =>
    values.map((value) => ({
      ...{ slice: { attribute: 'version', value: String(value) }, users: 1_000 - value },
      ...{ inside: [], outside: [] },
    }))
  const judge = (values: readonly number[], searched: readonly string[]) =>
    judgeSlices([errors], { users: 1, slices: of(values) }, { searched, excluded: [], alphas: [] }).searched
  const first = judge([3, 1, 2], [])
  expect(first).toEqual(['version=1', 'version=2', 'version=3'])
  const later = judge([9, 8, 7, 6, 5, 4, 3, 10, 11], first)
  expect(later).toHaveLength(narrowing.values)
  expect(later).not.toContain('version=10')
  expect(judge([20, 21], later)).toEqual(later)
})

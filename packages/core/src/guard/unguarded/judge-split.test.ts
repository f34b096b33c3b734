import { expect, test } from 'vitest'
import { builtInMetrics, freezeMetric } from '../built-in-metrics.ts'
import { excessShare } from './excess-users.ts'
import { judgePair, pairsOf } from './judge-split.ts'

const metrics = builtInMetrics
  .filter(({ key }) => key === 'crashes')
  .map((one) => freezeMetric(one, { limit: one.limit, base: undefined }))
const [crashes] = metrics

const evidenceOf = (treatment: number, control: number, units = 1_000) => ({
  units: { treatment: units, control: units },
  exposures: [{ treatment: units, control: units, share: 0.5 }],
  heard: [{ treatment: units, control: units, share: 0.5 }],
  metrics: [
    {
      kind: 'events' as const,
      stages: [{ treatment, control, share: 0.5 }],
      units: { treatment: units, control: units },
    },
  ],
})

test('every arm is compared with the one of the flag that is off', () => {
  const arms = [
    { variation: 'b', weight: 60 },
    { variation: 'off', weight: 10 },
    { variation: 'c', weight: 30 },
    { variation: 'd', weight: 0 },
  ]
  expect(pairsOf({ arms, off: 'off' })).toEqual([
    { treatment: 'b', control: 'off' },
    { treatment: 'c', control: 'off' },
  ])
})

test('without that arm, the largest and the others are compared in both directions', () => {
  const arms = [
    { variation: 'blue', weight: 40 },
    { variation: 'green', weight: 60 },
  ]
  expect(pairsOf({ arms, off: 'off' })).toEqual([
    { treatment: 'blue', control: 'green' },
    { treatment: 'green', control: 'blue' },
  ])
  expect(pairsOf({ arms: [], off: 'off' })).toEqual([])
})

test('a regression is latched, with the excess share of users', () => {
  const pair = { treatment: 'on', control: 'off' }
  const harmed = judgePair(pair, { metrics, evidence: evidenceOf(150, 50), alpha: 0.01 }, undefined)
  expect(harmed).toMatchObject({ regressed: ['crashes'], splitWrong: null })
  expect(harmed.excess).toEqual({ metric: 'crashes', share: expect.closeTo(0.1) })
  const later = judgePair(pair, { metrics, evidence: evidenceOf(150, 300), alpha: 0.01 }, harmed)
  expect(later.findings[0]?.state).not.toBe('regressed')
  expect(later.regressed).toEqual(['crashes'])
  expect(later.excess?.share).toBe(0)
})

test('a smaller part of the budget needs more evidence; a wrong split is latched', () => {
  const pair = { treatment: 'on', control: 'off' }
  const judge = (alpha: number) =>
    judgePair(pair, { metrics, evidence: evidenceOf(110, 50), alpha }, undefined).regressed
  expect([judge(0.05), judge(1e-6)]).toEqual([['crashes'], []])
  const skewed = { ...evidenceOf(10, 10), exposures: [{ treatment: 700, control: 1_000, share: 0.5 }] }
  const wrong = judgePair(pair, { metrics, evidence: skewed, alpha: 0.05 }, undefined)
  expect(wrong.splitWrong).toBe('split-wrong')
  expect(judgePair(pair, { metrics, evidence: evidenceOf(10, 10), alpha: 0.05 }, wrong).splitWrong).toBe(
    'split-wrong',
  )
})

test('the excess share is between none and all, in the direction of the metric', () => {
  if (crashes === undefined) throw new Error('a built-in metric is gone')
  const [gone] = evidenceOf(0, 0).metrics
  if (gone === undefined) throw new Error('evidence is missing')
  const values = { treatment: 0.3, control: 0.1 }
  expect(excessShare(crashes, { values, harm: undefined }, gone)).toBeCloseTo(0.2)
  expect(excessShare({ ...crashes, better: 'higher' }, { values, harm: undefined }, gone)).toBe(0)
  expect(excessShare(crashes, { values: undefined, harm: undefined }, gone)).toBeUndefined()
  const lcp = { ...crashes, method: { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1 } as const }
  const quantiles = {
    weights: [1],
    distribution: { treatment: [0, 0.2, 0.2, 0.6], control: [0, 0.5, 0.25, 0.25] },
    bucket: { treatment: 3, control: 2 },
    part: { treatment: 0, control: 0 },
  }
  const beyond = { stages: [], shared: { treatment: [], control: [] } }
  expect(excessShare(lcp, { values, harm: undefined }, { kind: 'quantile', quantiles, beyond })).toBeCloseTo(
    0.35,
  )
})

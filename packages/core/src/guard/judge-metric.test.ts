// From sums to what people read: each kind of metric, in its own direction, with its limit in people's words.
import { describe, expect, test } from 'vitest'
import { bucketOf } from '../statistics/buckets.ts'
import { findQuantiles } from '../statistics/quantile-effect.ts'
import type { ClusteredSums, UnitSums } from '../statistics/sums.ts'
import { judgeMetric, type MetricEvidence } from './judge-metric.ts'
import type { JudgedMetric } from './metric-method.ts'

const judging = { alpha: 0.01, nextShare: 1 }
const lcp: JudgedMetric = {
  metric: 'lcp',
  method: { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1 },
  better: 'lower',
  limit: 0.05,
  alphaWeight: 1,
}
const orders: JudgedMetric = {
  ...lcp,
  metric: 'orders',
  method: { kind: 'share', measure: 'custom:order', of: 'session' },
  better: 'higher',
}
const crashes: JudgedMetric = {
  ...lcp,
  metric: 'crashes',
  method: { kind: 'rare-share', measure: 'unhandled_error', of: 'session' },
  limit: 0.25,
}

/** Units that each were there once, of whom some did it. */
const once = (units: number, hits: number): UnitSums => ({
  units,
  n: units,
  y: hits,
  nn: units,
  ny: hits,
  yy: hits,
})
const sums = (treatment: UnitSums, control: UnitSums): ClusteredSums => ({
  stages: [{ treatment, control }],
  shared: { treatment: [], control: [] },
})

describe('a conversion, where higher is better', () => {
  const judge = (treatment: number, control: number, units = 100_000) =>
    judgeMetric(orders, { kind: 'ratio', sums: sums(once(units, treatment), once(units, control)) }, judging)

  test('that falls by more than its limit has regressed; harm and limit are shown as the decrease', () => {
    const found = judge(8_500, 10_000)
    expect(found).toMatchObject({ state: 'regressed', limit: 0.05 })
    expect(found.margin).toBeCloseTo(0.05, 12)
    expect(found.harm?.estimate).toBeCloseTo(0.15, 6)
    expect(found.harm?.lower).toBeGreaterThan(0.05)
    expect(found.values).toEqual({ treatment: 0.085, control: 0.1 })
  })

  test('that is unchanged is healthy, and one that rises is better', () => {
    expect(judge(30_000, 30_000).state).toBe('healthy')
    expect(judge(33_000, 30_000).harm?.upper).toBeLessThan(0)
  })

  test('the verdict and the numbers agree at the limit', () => {
    for (let treatment = 9_000; treatment <= 10_500; treatment += 25) {
      const { state, harm } = judge(treatment, 10_000)
      if (harm === undefined) throw new Error('there is a number')
      expect(state === 'regressed').toBe(harm.lower > 0.05)
      if (state !== 'regressed') expect(state === 'healthy').toBe(harm.upper < 0.05)
    }
  })

  test('with too few users is not judged, whatever its numbers', () => {
    expect(judge(1, 90, 99)).toMatchObject({ state: 'collecting', missing: 'too-few-units' })
  })

  test('earlier stages accept more: before 25 %, up to a fifth worse is accepted', () => {
    const evidence: MetricEvidence = { kind: 'ratio', sums: sums(once(9_000, 900), once(90_000, 9_000)) }
    expect(judgeMetric(orders, evidence, judging).state).toBe('watching')
    const early = judgeMetric(orders, evidence, { ...judging, nextShare: 0.25 })
    expect(early.state).toBe('healthy')
    expect(early.margin).toBeCloseTo(1 - 1 / (1 + (1 / 0.95 - 1) / 0.25), 12)
  })
})

describe('a percentile', () => {
  const around = (value: number, views: number) => {
    const counts: number[] = new Array(1_201).fill(0)
    const middle = bucketOf(value, 1)
    for (let offset = -40; offset <= 40; offset += 1)
      counts[middle + offset] = (views * (41 - Math.abs(offset))) / 1_681
    return counts
  }
  const beyond = (units: number): UnitSums => ({
    units,
    n: 2 * units,
    y: units / 2,
    nn: 5 * units,
    ny: 1.4 * units,
    yy: 0.7 * units,
  })

  test('10 % slower with many users has regressed, with both values in milliseconds', () => {
    const evidence: MetricEvidence = {
      kind: 'quantile',
      quantiles: findQuantiles([{ treatment: around(2_200, 40_000), control: around(2_000, 40_000) }], 0.75),
      beyond: sums(beyond(20_000), beyond(20_000)),
    }
    const found = judgeMetric(lcp, evidence, judging)
    expect(found.state).toBe('regressed')
    expect(found.values?.treatment).toBeGreaterThan(2_200)
    expect(found.values?.treatment).toBeLessThan(2_800)
    expect(found.units).toEqual({ treatment: 20_000, control: 20_000 })
  })

  test('without views there is no value', () => {
    const evidence: MetricEvidence = {
      kind: 'quantile',
      quantiles: undefined,
      beyond: sums(once(0, 0), once(0, 0)),
    }
    expect(judgeMetric(lcp, evidence, judging)).toMatchObject({ state: 'collecting', missing: 'no-units' })
  })
})

describe('rare events', () => {
  const judge = (treatment: number, control: number, share = 0.1) =>
    judgeMetric(
      crashes,
      {
        kind: 'events',
        stages: [{ treatment, control, share }],
        units: { treatment: 1_000, control: 9_000 },
      },
      judging,
    )

  test('far more of them in the treatment than its share have regressed, with the numbers in the sentence', () => {
    const found = judge(40, 60)
    expect(found.state).toBe('regressed')
    expect(found.events).toEqual({ all: 100, treatment: 40, expected: 10 })
    expect(found.values?.treatment).toBeCloseTo(0.04, 12)
    expect(found.harm?.estimate).toBeCloseTo(40 / 60 / (0.1 / 0.9) - 1, 6)
  })

  test('fewer than eight events are no evidence, but their values are shown', () => {
    expect(judge(6, 0)).toMatchObject({ state: 'collecting', missing: 'too-few-events' })
    expect(judge(6, 0).harm?.upper).toBe(Number.POSITIVE_INFINITY)
  })

  test('none after ten thousand users is a rate below 3 in 10,000, and no verdict', () => {
    expect(judge(0, 0)).toMatchObject({ state: 'collecting', rateBelow: 0.0003 })
  })
})

test('a deleted metric is gone', () => {
  const found = judgeMetric(lcp, { kind: 'gone' }, judging)
  expect(found.state).toBe('gone')
  expect(found.harm).toBeUndefined()
})

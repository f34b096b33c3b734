// Whatever arrives, nothing throws and no number that is none leaves: the outcome has a name.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { criticalMultiplier, logEvidence } from './boundary.ts'
import { bucketOf } from './buckets.ts'
import { estimate } from './effect.ts'
import { expectedInTreatment, logSplitEvidence, shareInterval, shareRatio } from './event-share.ts'
import { betaDefault, judgeEffect, judgeEventShare, priors, type Standard, type Verdict } from './judge.ts'
import { logScaledCdf } from './normal.ts'
import { estimateQuantile, findQuantiles, quantileOf } from './quantile-effect.ts'
import { estimateRatio } from './ratio-effect.ts'
import { harmOf, limitAsWorse, rateBelow, safetyMargin } from './safety-margin.ts'
import { divideAlpha } from './several-metrics.ts'
import { type ClusteredSums, noSums, type UnitSums } from './sums.ts'

const standard: Standard = { better: 'lower', limit: 0.05, margin: 0.5, alpha: 0.01, beta: betaDefault }
const nobody: ClusteredSums = {
  stages: [{ treatment: noSums, control: noSums }],
  shared: { treatment: [], control: [] },
}

/** Everything that a database or a client could hand over. */
const anyNumber = fc.oneof(
  fc.nat(100_000),
  fc.double({ noNaN: false }),
  fc.constantFrom(0, -1, 1, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_VALUE, Number.MIN_VALUE),
)
const sane = fc.record({
  units: fc.nat(50_000),
  n: fc.nat(200_000),
  y: fc.nat(200_000),
  nn: fc.nat(2_000_000),
  ny: fc.nat(2_000_000),
  yy: fc.nat(2_000_000),
})
const broken = fc.record({
  units: anyNumber,
  n: anyNumber,
  y: anyNumber,
  nn: anyNumber,
  ny: anyNumber,
  yy: anyNumber,
})
const unitSums: fc.Arbitrary<UnitSums> = fc.oneof({ weight: 4, arbitrary: sane }, broken)
const pairs = fc.array(
  fc.record({
    earlier: fc.nat(1),
    later: fc.constantFrom(1, 2, 9),
    nn: anyNumber,
    ny: anyNumber,
    yn: anyNumber,
    yy: anyNumber,
  }),
  { maxLength: 2 },
)
const clustered: fc.Arbitrary<ClusteredSums> = fc.record({
  stages: fc.array(fc.record({ treatment: unitSums, control: unitSums }), { maxLength: 3 }),
  shared: fc.record({ treatment: pairs, control: pairs }),
})

function expectSound({ worse, regression, safety }: Verdict): void {
  for (const value of [worse.lower, worse.estimate, worse.upper, regression, safety])
    expect(value).not.toBeNaN()
  expect(worse.lower).toBeLessThanOrEqual(worse.estimate)
  expect(worse.estimate).toBeLessThanOrEqual(worse.upper)
}

describe('any input', () => {
  test('of a ratio', () => {
    fc.assert(
      fc.property(clustered, (sums) => {
        const found = estimateRatio(sums)
        if ('missing' in found) return
        expect(found.effect.variance).toBeGreaterThan(0)
        expectSound(judgeEffect(found.effect, standard, { prior: priors.ratio, isReady: true }))
      }),
      { numRuns: 1_000 },
    )
  })

  test('of a quantile', () => {
    const histogram = fc.array(anyNumber, { maxLength: 1_300 })
    fc.assert(
      fc.property(
        fc.array(fc.record({ treatment: histogram, control: histogram }), { maxLength: 2 }),
        clustered,
        (stages, beyond) => {
          const quantiles = findQuantiles(stages, 0.75)
          if (quantiles === undefined) return
          expect(quantileOf(quantiles.distribution.control, 0.75, 1)).not.toBeNaN()
          const found = estimateQuantile(quantiles, beyond, { p: 0.75 })
          if ('missing' in found) return
          expectSound(judgeEffect(found.effect, standard, { prior: priors.quantile, isReady: true }))
        },
      ),
    )
  })

  test('of a share of events', () => {
    const events = fc.array(
      fc.record({ treatment: anyNumber, control: anyNumber, share: fc.oneof(fc.double(), anyNumber) }),
      { maxLength: 3 },
    )
    fc.assert(
      fc.property(events, (stages) => {
        expectSound(judgeEventShare(stages, standard, { isReady: true }))
        expect(logSplitEvidence(stages)).not.toBeNaN()
        expect(expectedInTreatment(stages)).not.toBeNaN()
      }),
      { numRuns: 200 },
    )
  })

  test('of the boundary, up to the largest numbers', () => {
    const positive = fc.double({ min: Number.MIN_VALUE, max: 1e300, noNaN: true })
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), positive, (excess, variance) => {
        expect(logEvidence({ excess, variance, prior: 0.2 })).not.toBeNaN()
        expect(criticalMultiplier({ variance, prior: 0.2, level: 0.05 })).toBeGreaterThan(0)
      }),
    )
  })
})

describe('named problems', () => {
  test.each([
    ['nobody at all', nobody, 'no-units'],
    ['no stages', { stages: [], shared: nobody.shared }, 'no-units'],
    [
      'all in one arm',
      {
        ...nobody,
        stages: [{ treatment: { ...noSums, units: 9, n: 9, y: 9, nn: 9, ny: 9, yy: 9 }, control: noSums }],
      },
      'no-units',
    ],
    [
      'a number that is none',
      { ...nobody, stages: [{ treatment: { ...noSums, y: Number.NaN }, control: noSums }] },
      'unusable',
    ],
    [
      'an infinite sum',
      { ...nobody, stages: [{ treatment: { ...noSums, yy: Number.POSITIVE_INFINITY }, control: noSums }] },
      'unusable',
    ],
    [
      'fewer than nobody',
      { ...nobody, stages: [{ treatment: { ...noSums, units: -1 }, control: noSums }] },
      'unusable',
    ],
  ] as const)('%s', (_name, sums, missing) => {
    expect(estimateRatio(sums)).toEqual({ missing })
  })

  test('a negative mean has no logarithm', () => {
    const arm = { units: 200, n: 200, y: -50, nn: 200, ny: -50, yy: 900 }
    const sums = { ...nobody, stages: [{ treatment: arm, control: arm }] }
    expect(estimateRatio(sums)).toEqual({ missing: 'no-positive-mean' })
  })

  test('a quantile among values too small to distinguish', () => {
    const stages = [{ treatment: [90, 5, 5], control: [90, 5, 5] }]
    const quantiles = findQuantiles(stages, 0.75)
    expect(quantiles && estimateQuantile(quantiles, nobody, { p: 0.75 })).toEqual({
      missing: 'lowest-bucket',
    })
    expect(quantiles && quantileOf(quantiles.distribution.control, 0.75, 0.001)).toBe(0)
  })

  test('no views in an arm, or invalid counts', () => {
    expect(findQuantiles([{ treatment: [], control: [0, 3] }], 0.75)).toBeUndefined()
    expect(findQuantiles([{ treatment: [1], control: [Number.NaN, 3] }], 0.75)).toBeUndefined()
    expect(findQuantiles([], 0.75)).toBeUndefined()
  })

  test('without events there is no estimate and no verdict', () => {
    expect(shareRatio([])).toBeUndefined()
    expect(shareInterval([], { lower: 0.05, upper: 0.05 })).toEqual({
      lower: 0,
      upper: Number.POSITIVE_INFINITY,
    })
    expect(
      judgeEventShare([{ treatment: 0, control: 0, share: 0.5 }], standard, { isReady: true }).state,
    ).toBe('watching')
    expect(judgeEventShare([], standard, { isReady: false }).state).toBe('collecting')
  })

  test('a stage with a single arm is ignored', () => {
    for (const share of [0, 1, -1, 2, Number.NaN])
      expect(logSplitEvidence([{ treatment: 5_000, control: 0, share }])).toBeCloseTo(0)
  })

  test('an estimate without variance, or with an invalid one', () => {
    expect(estimate(0, 0)).toEqual({ missing: 'no-variance' })
    expect(estimate(Number.NaN, 1)).toEqual({ missing: 'unusable' })
    expect(estimate(0, Number.POSITIVE_INFINITY)).toEqual({ missing: 'unusable' })
  })
})

test('the normal distribution, including its far tails', () => {
  // Tables of Abramowitz and Stegun, and the leading terms of the asymptotic series.
  expect(Math.exp(logScaledCdf(0))).toBeCloseTo(0.5, 15)
  expect(Math.exp(logScaledCdf(1.959963984540054))).toBeCloseTo(0.975, 14)
  expect(Math.exp(logScaledCdf(-1) - 0.5)).toBeCloseTo(0.15865525393145707, 15)
  expect(Math.exp(logScaledCdf(-6) - 18) / 9.865876450376981e-10).toBeCloseTo(1, 12)
  expect(logScaledCdf(-1e8)).toBeCloseTo(-Math.log(1e8 * Math.sqrt(2 * Math.PI)), 12)
  expect(logScaledCdf(-3.5356) - logScaledCdf(-3.5355)).toBeCloseTo(-0.0001 * 0.26, 5)
})

test('invalid measurements go to the lowest bucket, and the largest to the last', () => {
  expect(
    [Number.NaN, -5, 0, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY].map((value) =>
      bucketOf(value, 1),
    ),
  ).toEqual([0, 0, 0, 0, 1_200])
})

test('shares of alpha sum to the whole, whatever the weights', () => {
  expect(divideAlpha(0.05, [2, 1, 1])).toEqual([0.025, 0.0125, 0.0125])
  const parts = divideAlpha(0.05, [Number.NaN, -3, 0, Number.POSITIVE_INFINITY, 2])
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(0.05, 15)
  expect(divideAlpha(0.05, [])).toEqual([])
})

test('the margin falls to the limit as everyone is included; a limit on a good metric is equivalent from both sides', () => {
  expect([0, 0.01, 0.25, 0.5, 1].map((share) => safetyMargin(0.05, share))).toEqual([1, 1, 0.2, 0.1, 0.05])
  expect(safetyMargin(0.05, Number.NaN)).toBe(1)
  expect(safetyMargin(2, 0.1)).toBe(2)
  expect(harmOf(limitAsWorse(0.05, 'higher'), 'higher')).toBeCloseTo(0.05, 15)
  expect(limitAsWorse(1.5, 'higher')).toBe(Number.POSITIVE_INFINITY)
  expect(harmOf(Number.POSITIVE_INFINITY, 'higher')).toBe(1)
  expect([0, 1, 300].map(rateBelow)).toEqual([1, 1, 0.01])
})

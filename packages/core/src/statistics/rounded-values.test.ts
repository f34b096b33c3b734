// The percentile of rounded values, of values from few templates, and of grades.
import { describe, expect, test } from 'vitest'
import { bucketMaximum, bucketOf, logGrowth } from './buckets.ts'
import { betaDefault, judgeEffect, priors } from './judge.ts'
import { estimateQuantile, findQuantile, findQuantiles, quantileOf } from './quantile-effect.ts'
import { runRollout, strictest } from './testing/run-rollout.ts'
import { seededRandom } from './testing/seeded-random.ts'
import { rounded, stepped } from './testing/uneven-designs.ts'

const histogramOf = (counts: Record<number, number>) => {
  const histogram = new Array<number>(bucketMaximum + 1).fill(0)
  for (const [bucket, count] of Object.entries(counts)) histogram[Number(bucket)] = count
  return histogram
}
const alone = (counts: Record<number, number>) => {
  const histogram = histogramOf(counts)
  const found = findQuantiles([{ treatment: histogram, control: histogram }], 0.75)
  if (found === undefined) throw new Error('there are views')
  return found
}
const logIn = (counts: Record<number, number>) =>
  Math.log(quantileOf(alone(counts).distribution.control, 0.75, 1)) / logGrowth

describe('a rounded value stands for all values closer to it than to its neighbours', () => {
  test('Q5: the middle of the empty buckets', () => {
    expect(logIn({ 100: 60, 110: 40 })).toBeCloseTo(104.5 + 0.375 * 5.5, 9)
    expect(alone({ 100: 60, 110: 40 })).toMatchObject({ bucket: { control: 110 }, part: { control: 0.625 } })
  })

  test('without empty buckets it is the bucket itself', () => {
    expect(logIn({ 108: 20, 109: 40, 110: 30, 111: 10 })).toBeCloseTo(109 + 0.5, 9)
  })

  test('a few unrounded values do not bring the jump back', () => {
    const thin = Object.fromEntries([101, 102, 103, 104, 106, 107, 108, 109].map((bucket) => [bucket, 1]))
    expect(logIn({ ...thin, 100: 560, 110: 432 })).toBeCloseTo(logIn({ 100: 564, 110: 436 }), 9)
  })
})

test('a forecast sees a step beside the percentile beyond the slope, like the guard', () => {
  // From 80% on there is nothing for half of the way to bucket 200; below, 26 buckets to a whole share.
  const dense = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [80 + index, 4]))
  const found = findQuantile(histogramOf({ ...dense, 200: 21 }), 0.75, 0.01)
  expect((found?.slope ?? 0) / logGrowth).toBeGreaterThan(500)
})

/** So many users with one view each; the share that is at 96 ms, the rest at 104 and more. */
function judge(shares: { treatment: number; control: number }, users: number) {
  const [low, ...high] = [96, 104, 112, 120].map((value) => bucketOf(value, 1))
  const counts = (share: number) =>
    histogramOf({
      [low ?? 0]: users * share,
      ...Object.fromEntries(high.map((at) => [at, (users * (1 - share)) / 3])),
    })
  const [treatment, control] = [counts(shares.treatment), counts(shares.control)]
  const quantiles = findQuantiles([{ treatment, control }], 0.75)
  if (quantiles === undefined) throw new Error('there are views')
  const sums = (histogram: number[], arm: 'treatment' | 'control') => {
    const [end, part] = [quantiles.bucket[arm], quantiles.part[arm]]
    const [at, beyond] = [
      histogram[end] ?? 0,
      histogram.slice(end + 1).reduce((sum, count) => sum + count, 0),
    ]
    const y = beyond + part * at
    return { units: users, n: users, y, nn: users, ny: y, yy: beyond + part * part * at }
  }
  const found = estimateQuantile(
    quantiles,
    {
      stages: [{ treatment: sums(treatment, 'treatment'), control: sums(control, 'control') }],
      shared: { treatment: [], control: [] },
    },
    { p: 0.75 },
  )
  if ('missing' in found) throw new Error(found.missing)
  const standard = { better: 'lower', limit: 0.02, margin: 0.1, alpha: 0.05, beta: betaDefault } as const
  return judgeEffect(found.effect, standard, { prior: priors.quantile, isReady: true })
}

test('percentiles on both sides of a step by chance are no regression; a true shift is', () => {
  expect(judge({ treatment: 0.734, control: 0.766 }, 2_000).state).not.toBe('regressed')
  expect(judge({ treatment: 0.75, control: 0.75 }, 20_000).state).toBe('healthy')
  expect(judge({ treatment: 0.4, control: 0.75 }, 2_000).state).toBe('regressed')
})

test.each([...rounded, ...stepped])('$name: almost never rolled back without a difference', (design) => {
  const runs = 30
  let regressed = 0
  for (let seed = 1; seed <= runs; seed += 1) {
    const small = { ...design, people: 2_400, stages: [{ share: 0.5, looks: 12 }] }
    const run = runRollout(small, seededRandom(seed), { ...strictest, only: ['p75'] })
    if (run.regressedAlone.p75 !== undefined) regressed += 1
  }
  expect(regressed).toBeLessThanOrEqual(5)
})

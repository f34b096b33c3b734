import { expect, test } from 'vitest'
import { isSurelyMoreOften, riskRatio } from './risk-ratio.ts'

test('for rare hits it is the exact interval of a ratio of two rates', () => {
  // Of 30 hits 20 in one of two equal halves: Clopper and Pearson give 0.471885 to 0.827142 of them, as odds 0.8935 and 4.785.
  const found = riskRatio({ hits: 20, total: 1e7 }, { hits: 10, total: 1e7 })
  expect(found?.ratio).toBeCloseTo(20.5 / 10.5, 5)
  expect(found?.lower).toBeCloseTo(0.471885 / 0.528115, 3)
  expect(found?.upper).toBeCloseTo(0.827142 / 0.172858, 2)
})

test('more comparisons widen each interval', () => {
  const shares = [
    { hits: 40, total: 1_000 },
    { hits: 10, total: 1_000 },
  ] as const
  const alone = riskRatio(...shares)
  const among = riskRatio(...shares, 100)
  expect(among?.lower).toBeLessThan(alone?.lower ?? 0)
  expect(among?.upper).toBeGreaterThan(alone?.upper ?? Number.POSITIVE_INFINITY)
})

test('hits on one side only give a finite ratio and lower bound without an upper bound; on the other side it starts at zero', () => {
  const found = riskRatio({ hits: 50, total: 500 }, { hits: 0, total: 500 })
  expect(found?.lower).toBeGreaterThan(5)
  expect(found?.ratio).toBeLessThan(1_000)
  expect(found?.upper).toBe(Number.POSITIVE_INFINITY)
  const other = riskRatio({ hits: 0, total: 500 }, { hits: 50, total: 500 })
  expect(other?.lower).toBe(0)
  expect(other?.upper).toBeLessThan(0.2)
})

test('twice the data halves the variance, also for common hits', () => {
  const width = (times: number) => {
    const found = riskRatio(
      { hits: 400 * times, total: 1_000 * times },
      { hits: 300 * times, total: 1_000 * times },
    )
    return Math.log((found?.upper ?? 0) / (found?.lower ?? 1))
  }
  // By the formula of a large sample: 2 × 1.96 × √(0.6/400 + 0.7/300).
  expect(width(1)).toBeLessThan(0.2427 * 1.1)
  expect(width(100)).toBeLessThan(0.02427 * 1.05)
  expect(width(100)).toBeGreaterThan(0.02427)
})

test('without a comparison group or hits there is no ratio', () => {
  expect(riskRatio({ hits: 1, total: 10 }, { hits: 0, total: 0 })).toBeUndefined()
  expect(riskRatio({ hits: 0, total: 10 }, { hits: 0, total: 10 })).toBeUndefined()
})

/** The chance of each count of hits, 0 to `total`. */
function countsOf(total: number, share: number): number[] {
  let log = total * Math.log1p(-share)
  return Array.from({ length: total + 1 }, (_, hits) => {
    const chance = Math.exp(log)
    log += Math.log((total - hits) / (hits + 1)) + Math.log(share / (1 - share))
    return chance
  })
}

const crowds = [
  [5, 5],
  [30, 8],
  [12, 80],
] as const
const shares = [0.002, 0.01, 0.03, 0.1, 0.4, 0.6]

test.each([1, 2_000])(
  'of %i comparisons no bound errs more often than its level, with any number of hits',
  (comparisons) => {
    const level = 0.025 / comparisons
    for (const [own, others] of crowds) {
      const intervals = Array.from({ length: own + 1 }, (_, hits) =>
        Array.from({ length: others + 1 }, (_, otherHits) => {
          // More are never drawn from these shares.
          if (otherHits > others * 0.85) return undefined
          return riskRatio({ hits, total: own }, { hits: otherHits, total: others }, comparisons)
        }),
      )
      for (const share of shares) {
        for (const ratio of [0.5, 1, 1.5, 3]) {
          if (share * ratio >= 1) continue
          const missed = { above: 0, below: 0 }
          const [mine, theirs] = [countsOf(own, share * ratio), countsOf(others, share)]
          for (const [hits, chance] of mine.entries()) {
            for (const [otherHits, otherChance] of theirs.entries()) {
              const found = intervals[hits]?.[otherHits]
              if (found === undefined) continue
              if (found.lower > ratio) missed.above += chance * otherChance
              if (found.upper < ratio) missed.below += chance * otherChance
            }
          }
          const name = `${own} and ${others} users, ${share} of the others, ${ratio} times`
          expect(missed.above, name).toBeLessThanOrEqual(level)
          expect(missed.below, name).toBeLessThanOrEqual(level)
        }
      }
    }
  },
)

test('surely more often means a lower bound above 1', () => {
  for (const hits of [0, 3, 12, 30, 49]) {
    for (const otherHits of [0, 1, 5, 40, 300]) {
      for (const comparisons of [1, 100]) {
        const [group, others] = [
          { hits, total: 50 },
          { hits: otherHits, total: 400 },
        ]
        const lower = riskRatio(group, others, comparisons)?.lower ?? 0
        expect(isSurelyMoreOften(group, others, comparisons)).toBe(lower > 1)
      }
    }
  }
})

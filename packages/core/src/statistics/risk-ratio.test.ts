import { expect, test } from 'vitest'
import { riskRatio } from './risk-ratio.ts'

test('the interval of one comparison is the one of the formula', () => {
  // By hand: (20.5/100.5) / (10.5/100.5), se² = 1/20.5 - 1/100.5 + 1/10.5 - 1/100.5, 1.959964 standard errors.
  const found = riskRatio({ hits: 20, total: 100 }, { hits: 10, total: 100 })
  expect(found?.ratio).toBeCloseTo(1.952381, 5)
  expect(found?.lower).toBeCloseTo(0.97878, 4)
  expect(found?.upper).toBeCloseTo(3.89446, 4)
})

test('the more is looked at together, the wider each interval is', () => {
  const shares = [
    { hits: 40, total: 1_000 },
    { hits: 10, total: 1_000 },
  ] as const
  const alone = riskRatio(...shares)
  const among = riskRatio(...shares, 100)
  expect(among?.lower).toBeLessThan(alone?.lower ?? 0)
  expect(among?.upper).toBeGreaterThan(alone?.upper ?? Number.POSITIVE_INFINITY)
})

test('an error that only some ever had has a finite ratio', () => {
  const found = riskRatio({ hits: 50, total: 500 }, { hits: 0, total: 500 })
  expect(found?.lower).toBeGreaterThan(1)
  expect(found?.upper).toBeLessThan(10_000)
})

test('nobody to compare with, or nothing that happened, is no ratio', () => {
  expect(riskRatio({ hits: 1, total: 10 }, { hits: 0, total: 0 })).toBeUndefined()
  expect(riskRatio({ hits: 0, total: 10 }, { hits: 0, total: 10 })).toBeUndefined()
})

test('19 of 20 intervals hold what is true', () => {
  let seed = 7
  // The generator of Park and Miller.
  const random = () => {
    seed = (seed * 48_271) % (2 ** 31 - 1)
    return seed / (2 ** 31 - 1)
  }
  const draw = (total: number, share: number) => {
    let hits = 0
    for (let person = 0; person < total; person += 1) if (random() < share) hits += 1
    return { hits, total }
  }
  let held = 0
  for (let round = 0; round < 1_000; round += 1) {
    const found = riskRatio(draw(400, 0.1), draw(400, 0.05))
    if (found && found.lower <= 2 && 2 <= found.upper) held += 1
  }
  expect(held).toBeGreaterThan(930)
})

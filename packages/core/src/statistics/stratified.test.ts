import { expect, test } from 'vitest'
import { compareShares, fewestAffected } from './stratified.ts'
import {
  countCoverage,
  simulateSessions,
  tryLoads,
  tryShares,
  trySharesTogether,
} from './testing/release-world.ts'
import { stratify, type UnitInStratum } from './testing/stratify.ts'

const row = (arm: UnitInStratum['arm'], unit: number, rest: Partial<UnitInStratum>): UnitInStratum => ({
  stratum: 0,
  arm,
  unit,
  n: 1,
  y: 0,
  ...rest,
})

test('strata are combined by Mantel-Haenszel weights; those with one version do not count', () => {
  const sums = stratify([
    row('treatment', 1, { y: 1 }),
    row('treatment', 2, {}),
    row('control', 3, {}),
    row('control', 4, {}),
    row('treatment', 1, { stratum: 1, n: 2, y: 2 }),
    row('control', 3, { stratum: 1, n: 2, y: 1 }),
    row('control', 9, { stratum: 2, y: 1 }),
  ])
  // Both weights are 2 * 2 / 4 = 1: shares of 1/2 and 1 against 0 and 1/2.
  expect(sums).toMatchObject({
    strata: 2,
    treatment: { units: 2, affected: 1, n: 4, mean: 0.75 },
    control: { units: 2, affected: 1, n: 4, mean: 0.25 },
  })
})

test('a user in several strata is one observation', () => {
  const hours = Array.from({ length: 10 }, (_, stratum) => stratum)
  const users = Array.from({ length: 20 }, (_, unit) => unit)
  const rowsOf = (unitOf: (unit: number, stratum: number) => number) =>
    hours.flatMap((stratum) =>
      users.flatMap((unit) => [
        row('treatment', unitOf(unit, stratum), { stratum, y: unit % 2 }),
        row('control', 1e6 + unitOf(unit, stratum), { stratum, y: unit % 2 }),
      ]),
    )
  const once = stratify(rowsOf((unit) => unit))
  const apart = stratify(rowsOf((unit, stratum) => unit + 1_000 * stratum))
  expect(once.treatment.own / apart.treatment.own).toBeCloseTo(10)
})

test('with few users or few affected users there is no interval', () => {
  const rows = Array.from({ length: 100 }, (_, unit) => [
    row('treatment', unit, {}),
    row('control', 200 + unit, {}),
  ])
  expect(compareShares(stratify(rows.flat()))).toEqual({ missing: 'too-few' })
  const affected = rows.flat().map((one) => ({ ...one, y: one.unit < fewestAffected ? 1 : 0 }))
  expect(compareShares(stratify(affected))).toMatchObject({
    comparison: { treatment: expect.closeTo(0.1, 9), control: 0 },
  })
  expect(compareShares(stratify(affected.filter(({ unit }) => unit < 240)))).toEqual({ missing: 'too-few' })
})

test('intervals contain the true difference in at least 94 % of simulated releases, and miss it without strata', () => {
  const world = { users: 700, hours: 48, crashes: 0.5, slower: 0.1 }
  const seeds = Array.from({ length: 100 }, (_, seed) => seed + 1)
  const worlds = seeds.map((seed) => simulateSessions(world, seed))
  const shares = worlds.map((sessions) => tryShares(sessions, world))
  for (const found of [countCoverage(shares), countCoverage(worlds.map((one) => tryLoads(one, world)))]) {
    expect(found.compared).toBe(seeds.length)
    expect(found.covered / found.compared).toBeGreaterThanOrEqual(0.94)
    // An interval that contains everything would cover as well.
    expect(found.width).toBeLessThan(0.6)
  }
  const together = worlds.map((sessions, index) => trySharesTogether(sessions, shares[index]?.truth ?? 0))
  const error = (trials: readonly (typeof together)[number][]) =>
    trials.reduce(
      (sum, { compared, truth }) => sum + ('comparison' in compared ? compared.comparison.change - truth : 0),
      0,
    ) / trials.length
  expect(Math.abs(error(shares))).toBeLessThan(0.003)
  expect(Math.abs(error(together))).toBeGreaterThan(0.008)
})

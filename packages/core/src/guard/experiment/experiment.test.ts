// What an experiment promises, on simulated worlds: without a difference it hardly ever finds one, at any of its looks;
// the shown intervals hold at all looks together; planned users are enough. `npm run bench:experiments` does the same with
// thousands of worlds.

import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../statistics/testing/seeded-random.ts'
import { goalLevels } from './goal-levels.ts'
import { judgeGoal } from './judge-goal.ts'
import { daysFor, usersNeeded } from './plan-goal.ts'
import {
  type ExperimentWorld,
  judgedGoals,
  runExperiment,
  shop,
  simulatedGoals,
  trueChange,
} from './testing/simulated-experiment.ts'
import { runWindows, trueWindowChange, visits, type WindowWorld } from './testing/simulated-windows.ts'

const [level = 0] = goalLevels({ goals: simulatedGoals.length, treatments: 1 })
/** Five in a hundred are allowed; more than this has a chance below one in a thousand. */
const runs = 24
const allowed = 5 / runs

const worlds = (world: ExperimentWorld, count = runs) =>
  Array.from({ length: count }, (_, seed) => runExperiment(world, seededRandom(seed + 1), level))

describe('without a difference', () => {
  test.each([
    ['half and half', shop],
    ['one in ten', { ...shop, share: 0.1 }],
    ['a holdout with four others for each held-out user', { ...shop, share: 0.8 }],
    ['a few large buyers', { ...shop, buyers: 0.05, spread: 1.5 }],
    ['with the history of users', { ...shop, habit: 1, known: 0.8 }],
    ['with the history of half of the users', { ...shop, habit: 1, known: 0.5 }],
  ])('%s: hardly ever better or worse at any look', (_name, world) => {
    const found = worlds(world).filter((looks) =>
      looks.some((look) => simulatedGoals.some((goal) => ['better', 'worse'].includes(look[goal].verdict))),
    )
    expect(found.length / runs).toBeLessThanOrEqual(allowed)
  })
})

describe('within a window after the exposure', () => {
  const rare = { ...visits, converting: { treatment: 0.04, control: 0.04 }, isRare: true, looks: 10 }
  const runs = (world: WindowWorld) =>
    Array.from({ length: 24 }, (_, seed) => runWindows(world, seededRandom(seed + 1), 0.05))

  test.each([
    ['a frequent event', visits],
    ['a rare event', rare],
  ])('%s: without a difference hardly ever better or worse at any look', (_name, world) => {
    const found = runs(world).filter((looks) =>
      looks.some(({ verdict }) => ['better', 'worse'].includes(verdict)),
    )
    expect(found.length / 24).toBeLessThanOrEqual(allowed)
  })

  test('the interval contains the true change within the window at every look', () => {
    const world = { ...visits, faster: 1.5 }
    const change = trueWindowChange(world)
    expect(change).toBeGreaterThan(0.1)
    const missed = runs(world).filter((looks) =>
      looks.some(({ change: found }) => found && (found.lower > change || found.upper < change)),
    )
    expect(missed.length / 24).toBeLessThanOrEqual(allowed)
  })
})

describe('with an effect', () => {
  const better = { ...shop, users: 10_000, looks: 5, effect: { spent: 1.25, buyers: 1.25, rare: 1.8 } }
  const worse = { ...shop, users: 10_000, looks: 5, effect: { spent: 0.8, buyers: 0.8, rare: 0.5 } }

  test('it is found, in the right direction', () => {
    for (const [world, verdict] of [
      [better, 'better'],
      [worse, 'worse'],
    ] as const) {
      const last = worlds(world, 8).map((looks) => looks.at(-1))
      for (const goal of simulatedGoals) {
        const found = last.filter((look) => look?.[goal].verdict === verdict)
        expect(found.length / 8, `${verdict} ${goal}`).toBeGreaterThan(0.8)
      }
    }
  })

  test('the history of users finds it with fewer of them, and costs nothing where it says nothing', () => {
    const width = (world: ExperimentWorld) => {
      const ends = worlds(world, 12).map((looks) => looks.at(-1)?.revenue.change)
      return ends.reduce((sum, found) => sum + (found ? found.upper - found.lower : 0), 0)
    }
    const loyal = { ...better, habit: 1 }
    expect(width({ ...loyal, known: 0.9 }) / width(loyal)).toBeLessThan(0.95)
    expect(width({ ...better, known: 0.9 }) / width(better)).toBeCloseTo(1, 1)
  })

  test('the interval contains the true change at every look', () => {
    const change = trueChange(better)
    const missed = worlds(better, 20).filter((looks) =>
      looks.some((look) =>
        simulatedGoals.some((goal) => {
          const found = look[goal].change
          return found !== undefined && (found.lower > change[goal] || found.upper < change[goal])
        }),
      ),
    )
    expect(missed.length / 20).toBeLessThanOrEqual(0.15)
  })
})

test('an equal arm is no worse once a loss beyond the margin is excluded', () => {
  const sums = (mean: number) => ({
    units: 20_000,
    n: 20_000,
    y: 20_000 * mean,
    nn: 20_000,
    ny: 20_000 * mean,
    yy: 20_000 * (mean ** 2 + mean),
  })
  const evidence = {
    kind: 'ratio' as const,
    sums: {
      stages: [{ treatment: sums(10.01), control: sums(10) }],
      shared: { treatment: [], control: [] },
    },
    unitsWithEvent: 10_000,
  }
  expect(judgeGoal(judgedGoals.revenue, evidence, { level }).verdict).toBe('no-worse')
  const strict = { ...judgedGoals.revenue, limit: 0.001 }
  expect(judgeGoal(strict, evidence, { level }).verdict).toBe('undecided')
})

test('what should be low is better when it falls, and its change is that of the value', () => {
  const sums = (y: number) => ({ units: 5_000, n: 5_000, y, nn: 5_000, ny: y, yy: 4 * y })
  const errors = { ...judgedGoals.revenue, better: 'lower' as const }
  const evidence = {
    kind: 'ratio' as const,
    sums: {
      stages: [{ treatment: sums(1_000), control: sums(2_000) }],
      shared: { treatment: [], control: [] },
    },
    unitsWithEvent: 3_000,
  }
  const found = judgeGoal(errors, evidence, { level })
  expect(found).toMatchObject({ verdict: 'better', change: { estimate: expect.closeTo(-0.5, 9) } })
  expect(judgeGoal(judgedGoals.revenue, evidence, { level })).toMatchObject({
    verdict: 'worse',
    change: { estimate: expect.closeTo(-0.5, 9) },
  })
})

describe('a plan', () => {
  const shares = { treatment: 0.5, control: 0.5 }

  test.each([
    ['buyers', { variancePerUnit: 0.8 / 0.2 }, { ...shop.effect, buyers: 1.2 }],
    ['sign-ups', { rareShare: 0.03 }, { ...shop.effect, rare: 1.5 }],
  ] as const)('%s: with the planned users the gain is found in most cases', (goal, spread, effect) => {
    const gain = trueChange({ ...shop, effect })[goal]
    const users = usersNeeded({ better: 'higher', isQuantile: false, ...spread, gain, level }, shares)
    const world = { ...shop, users: users ?? 0, looks: 4, effect }
    const found = worlds(world, 40).filter((looks) => looks.at(-1)?.[goal].verdict === 'better')
    expect(found.length).toBeGreaterThan(24)
    expect(found.length).toBeLessThan(40)
  })

  test('a smaller gain, a stricter level or an uneven split needs more users', () => {
    const needed = (gain: number, more = {}, of = shares) =>
      usersNeeded({ better: 'higher', isQuantile: false, variancePerUnit: 4, gain, level, ...more }, of) ?? 0
    expect(needed(0.05)).toBeGreaterThan(3 * needed(0.1))
    expect(needed(0.1, { level: level / 5 })).toBeGreaterThan(needed(0.1))
    expect(needed(0.1, {}, { treatment: 0.1, control: 0.9 })).toBeGreaterThan(2 * needed(0.1))
    expect(usersNeeded({ better: 'higher', isQuantile: false, gain: 0.1, level }, shares)).toBeUndefined()
  })

  test('days follow from the traffic; a year is the most', () => {
    const traffic = { perDay: 100, inPeriod: 1_400, days: 14, reading: 1 }
    expect(daysFor(1_000, traffic)).toBe(10)
    expect(daysFor(1e6, traffic)).toBeUndefined()
    expect(daysFor(10, { ...traffic, perDay: 0 })).toBeUndefined()
  })
})

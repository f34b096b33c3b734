// Planted fixes and planted failures to fix: what is called fixed is, and a true fix is found with the users of the plan.
import { expect, test } from 'vitest'
import { proportionBounds } from '../statistics/proportion-bounds.ts'
import { seededRandom } from '../statistics/testing/seeded-random.ts'
import { allowedBefore, fixLevel, fixVerdict, judgeFix, unitsForFix } from './judge-fix.ts'
import { type FixDesign, runFix } from './testing/fix-world.ts'

const worlds = 1_000

const designOf = (number: number, removed: number): FixDesign => ({
  usual: [0, 0.002, 0.02][number % 3] ?? 0,
  harm: [0.1, 0.15, 0.3, 0.5][number % 4] ?? 0.1,
  removed,
  share: number % 2 === 0 ? 0.5 : 0.25,
  contributors: 1 + (number % 3),
  looks: 8,
})

function runAll(count: number, removed: (number: number) => number, more: Partial<FixDesign> = {}) {
  return Array.from({ length: count }, (_, number) =>
    runFix({ ...designOf(number, removed(number)), ...more }, seededRandom(number + 1)),
  )
}

const shareOf = (runs: readonly ReturnType<typeof runFix>[], state: 'fixed' | 'not-fixed') =>
  runs.filter(({ states }) => states.includes(state)).length / runs.length

test('of 1,000 changes that fix nothing, half or three quarters, at most 5 % are ever called fixed', () => {
  const runs = runAll(worlds, (number) => [0, 0.5, 0.75, -0.5][number % 4] ?? 0)
  expect(shareOf(runs, 'fixed')).toBeLessThanOrEqual(fixLevel)
})

test('of 1,000 true fixes, at least 80 % are called fixed with the users of the plan, and hardly any not fixed', () => {
  const runs = runAll(worlds, () => 1)
  expect(runs.every(({ planned }) => planned !== undefined)).toBe(true)
  expect(shareOf(runs, 'fixed')).toBeGreaterThanOrEqual(0.8)
  expect(shareOf(runs, 'not-fixed')).toBeLessThanOrEqual(fixLevel)
})

test('changes that fix nothing are called not fixed in most cases', () => {
  expect(
    shareOf(
      runAll(200, () => 0),
      'not-fixed',
    ),
  ).toBeGreaterThan(0.8)
})

test('by the estimates alone, unfixed changes would be called fixed far more often', () => {
  const judge: typeof judgeFix = (counts, judged) => {
    const found = judgeFix(counts, judged)
    return { ...found, state: (found.gone?.estimate ?? 0) >= 0.8 ? 'fixed' : 'undecided' }
  }
  expect(
    shareOf(
      runAll(200, () => 0.75, { judge }),
      'fixed',
    ),
  ).toBeGreaterThan(3 * fixLevel)
})

const counts = (treatment: [number, number], control: [number, number]) => ({
  treatment: { hits: treatment[0], total: treatment[1] },
  control: { hits: control[0], total: control[1] },
})

test('the part that is gone: nearly all without an error in 3,000 users, with the interval of both rollouts', () => {
  const before = counts([200, 1_000], [0, 1_000])
  const { state, gone } = judgeFix({ before, now: counts([0, 3_000], [0, 3_000]) }, { contributors: 1 })
  expect(state).toBe('fixed')
  expect(gone?.estimate).toBe(1)
  expect(gone?.lower).toBeGreaterThan(0.97)
  expect(gone?.upper).toBe(1)
  const still = judgeFix({ before, now: counts([190, 1_000], [1, 1_000]) }, { contributors: 1 })
  expect(still.state).toBe('not-fixed')
  expect(still.gone?.upper).toBeLessThan(0.5)
})

test('without users, or a harm that was not surely there, nothing is decided', () => {
  const before = counts([200, 1_000], [0, 1_000])
  expect(judgeFix({ before, now: counts([0, 0], [0, 0]) }, { contributors: 1 }).gone).toBeNull()
  const vague = counts([3, 1_000], [1, 1_000])
  const now = counts([0, 50_000], [0, 50_000])
  expect(judgeFix({ before: vague, now }, { contributors: 1 })).toEqual({ state: 'undecided', gone: null })
})

test('more contributors need more users, and an early stage allows more of the harm', () => {
  const before = counts([60, 1_000], [2, 1_000])
  const [one, five] = [unitsForFix(before, { contributors: 1 }), unitsForFix(before, { contributors: 5 })]
  expect(one).toBeGreaterThan(100)
  expect(five).toBeGreaterThan(one ?? 0)
  expect([allowedBefore(0.05), allowedBefore(0.5), allowedBefore(1)]).toEqual([
    1,
    expect.closeTo(0.4),
    expect.closeTo(0.2),
  ])
})

test('fixed, not fixed and moved elsewhere have different verdicts', () => {
  expect(fixVerdict(['fixed', 'fixed'], false)).toBe('fixed')
  expect(fixVerdict(['fixed', 'fixed'], true)).toBe('moved')
  expect(fixVerdict(['fixed', 'undecided'], true)).toBe('undecided')
  expect(fixVerdict(['fixed', 'not-fixed'], true)).toBe('not-fixed')
  expect(fixVerdict([], false)).toBe('undecided')
})

test('a proportion is within its bounds at every look in at least 95 % of series', () => {
  const random = seededRandom(3)
  let missed = 0
  for (let series = 0; series < 400; series += 1) {
    const share = [0.002, 0.02, 0.3][series % 3] ?? 0
    let [hits, isMissed] = [0, false]
    for (let total = 1; total <= 600; total += 1) {
      if (random.uniform() < share) hits += 1
      if (total % 50 > 0) continue
      const { lower, upper } = proportionBounds({ hits, total }, 0.05)
      isMissed ||= lower > share || upper < share
    }
    missed += Number(isMissed)
  }
  expect(missed / 400).toBeLessThanOrEqual(0.05)
  expect(proportionBounds({ hits: 0, total: 0 }, 0.05)).toEqual({ lower: 0, upper: 1 })
})

import { expect, test } from 'vitest'
import { rankEvidence } from '../guard/rank-evidence.ts'
import { meanDifference } from '../statistics/mean-difference.ts'
import { type ProfiledResult, profileWorld } from './testing/profiled-world.ts'
import { simulateSite } from './testing/simulated-site.ts'

// The large version is `npm run bench:orders`.
test('at equal bytes, at least twice as many verdicts have three replays and a similar session', () => {
  const { verdicts, byChance, byOrders } = simulateSite({
    seed: 4,
    days: 4,
    sessionsPerDay: 5_000,
    replayRate: 10,
    openAtOnce: 2,
  })
  expect(verdicts).toBeGreaterThan(15)
  expect(byOrders.withBoth).toBeGreaterThanOrEqual(5)
  expect(byOrders.withBoth).toBeGreaterThanOrEqual(2 * byChance.withBoth)
  expect(byOrders.bytes / byChance.bytes).toBeLessThan(1.05)
})

type Sums = 'weighted' | 'unweighted'

const covers = ({ truth, ...result }: ProfiledResult, sums: Sums) => {
  const found = meanDifference([result[sums].all], 0.05)
  return found !== undefined && found.lower <= truth.all && truth.all <= found.upper
}

const namesSome = (result: ProfiledResult, sums: Sums) => {
  const { functions, all } = result[sums]
  const candidates = functions.map((part, name) => ({
    name,
    sums: { kind: 'means' as const, part: [part], rest: [all] },
  }))
  return rankEvidence(candidates).length > 0
}

test('the same variation twice: weighted intervals of profiled times hold, and without weights the test notices', () => {
  const worlds = Array.from({ length: 60 }, (_, seed) =>
    profileWorld({ seed, users: 1_500, treatmentShare: 0.4, effect: 0, functions: 3 }),
  )
  const share = (is: (world: ProfiledResult) => boolean) => worlds.filter(is).length / worlds.length
  expect(share((world) => covers(world, 'weighted'))).toBeGreaterThanOrEqual(0.95)
  expect(share((world) => namesSome(world, 'weighted'))).toBeLessThanOrEqual(0.05)
  expect(share((world) => covers(world, 'unweighted'))).toBeLessThan(0.5)
  expect(share((world) => namesSome(world, 'unweighted'))).toBeGreaterThan(0.5)
})

test('a true change of profiled times is within its weighted interval', () => {
  const worlds = Array.from({ length: 40 }, (_, seed) =>
    profileWorld({ seed: 1_000 + seed, users: 1_500, treatmentShare: 0.4, effect: 0.3, functions: 3 }),
  )
  const share = (sums: Sums) => worlds.filter((world) => covers(world, sums)).length / worlds.length
  expect(share('weighted')).toBeGreaterThanOrEqual(0.95)
  expect(share('unweighted')).toBeLessThan(0.5)
})

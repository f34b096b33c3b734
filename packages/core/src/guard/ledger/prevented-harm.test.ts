import { expect, test } from 'vitest'
import { seededRandom } from '../../statistics/testing/seeded-random.ts'
import { estimateHarm } from './estimate-harm.ts'
import { cellOf, type LedgerCounts, type LedgerSplit } from './ledger-counts.ts'
import { plannedWindows, preventedHarm, type SparedUsers } from './prevented-harm.ts'

const hour = 3_600_000
const stages = [
  { weight: 5_000, minDuration: hour },
  { weight: 50_000, minDuration: 2 * hour },
  { weight: 100_000, minDuration: 3 * hour },
]

test('what was still planned begins with the rest of the stage that was rolled back', () => {
  expect(plannedWindows(stages, { stage: 1, watched: hour / 2, at: 0 })).toEqual([
    { from: 0, to: 1.5 * hour, share: 0.5 },
    { from: 1.5 * hour, to: 4.5 * hour, share: 1 },
  ])
  expect(plannedWindows(stages, { stage: 2, watched: 9 * hour, at: 0 })).toEqual([])
})

test('users with the control in larger stages, and harm that is not shown, count less', () => {
  const harm = { lower: -10, estimate: 20, upper: 50 }
  const seen = [
    { before: 0, planned: 0.5, users: 100 },
    { before: 0.2, planned: 0.5, users: 80 },
    { before: 0.5, planned: 0.5, users: 1_000 },
  ]
  expect(preventedHarm({ users: 1_000, harm }, seen)).toEqual({
    ...{ spared: 80, lower: 0, estimate: 1.6, upper: 4 },
  })
})

test('on rollouts that are rolled back when they cross a line, the interval covers what was prevented', () => {
  const months = 120
  let [missed, above] = [0, 0]
  for (let month = 0; month < months; month += 1) {
    const random = seededRandom(month + 1)
    const effect = [0.02, 0.05, 0.1][month % 3] ?? 0
    const { prevented, truth } = rollBack({ effect, base: 0.03 }, random)
    if (prevented === undefined) continue
    if (truth < prevented.lower || truth > prevented.upper) missed += 1
    if (prevented.lower > truth) above += 1
  }
  expect(missed / months).toBeLessThanOrEqual(0.05)
  expect(above / months).toBeLessThanOrEqual(0.025)
})

/** Users come one by one at 20%; at every hundredth the guard looks, and rolls back as soon as harm is shown. */
function rollBack(
  { effect, base }: { effect: number; base: number },
  random: ReturnType<typeof seededRandom>,
) {
  const [share, most, after] = [0.2, 6_000, 5_000]
  const split: LedgerSplit = {
    ...{ split: '1', flag: 'checkout', by: 'targetingKey', control: 'off' },
    epochs: [
      {
        epoch: 1,
        arms: [
          { variation: 'on', weight: 20_000 },
          { variation: 'off', weight: 80_000 },
        ],
      },
    ],
  }
  const cells = [0, 1].map((arm) => cellOf({ split: 0, epoch: 0, arm }))
  const [users, hits] = [
    [0, 0],
    [0, 0],
  ]
  for (let user = 0; user < most; user += 1) {
    const arm = Number(random.uniform() < share)
    users[arm] = (users[arm] ?? 0) + 1
    hits[arm] = (hits[arm] ?? 0) + Number(random.uniform() < base + arm * effect)
    if (user % 100 !== 99) continue
    const counts: LedgerCounts = {
      pairs: cells.map((cell, index) => ({ one: cell, other: cell, users: users[index] ?? 0 })),
      hits: cells.map((cell, index) => ({ split: 0, kind: 'any', cell, users: hits[index] ?? 0 })),
    }
    const [found] = estimateHarm([split], counts)
    const harm = found === undefined || 'fault' in found ? undefined : found.harm.any
    if (found === undefined || harm === undefined || harm.lower <= 0) continue
    // New users, at the planned half and then at all.
    const seen: SparedUsers[] = [0.5, 1].map((planned) => ({ before: 0, planned, users: after }))
    return { prevented: preventedHarm({ users: found.users, harm }, seen), truth: effect * after * 1.5 }
  }
  return { prevented: undefined, truth: 0 }
}

// How often intervals of a rate contain the true one, with users of very different activity; and that one user with
// thousands of events gives no interval, or a wide one, but never a short wrong one.

import { describe, expect, test } from 'vitest'
import { rateOfMean, rateOfShare, type UserSums } from './clustered-rate.ts'
import { type Random, seededRandom } from './testing/seeded-random.ts'
import { wilsonInterval } from './wilson.ts'

interface User {
  n: number
  y: number
}

const sumsOf = (users: readonly User[]): UserSums => {
  const sum = (of: (user: User) => number) => users.reduce((all, user) => all + of(user), 0)
  return {
    units: users.length,
    n: sum(({ n }) => n),
    y: sum(({ y }) => y),
    nn: sum(({ n }) => n * n),
    ny: sum(({ n, y }) => n * y),
    yy: sum(({ y }) => y * y),
  }
}

/** A user's sessions are geometric; how many of them have the event depends on the user. */
function someUser(random: Random, rate: number): User {
  const n = 1 + Math.floor(Math.log(1 - random.uniform()) / Math.log(1 - 0.3))
  const own = random.uniform() < 0.5 ? rate * 1.8 : rate * 0.2
  let y = 0
  for (let session = 0; session < n; session += 1) if (random.uniform() < own) y += 1
  return { n, y }
}

/** Events of a user: log-normal activity. */
const activeUser = (random: Random): User => ({ n: 1, y: Math.floor(Math.exp(random.normal()) * 2) })
/** The mean of the same users. */
const meanOfActive = (() => {
  const random = seededRandom(99)
  let sum = 0
  for (let user = 0; user < 400_000; user += 1) sum += activeUser(random).y
  return sum / 400_000
})()

const worlds = 1_000
function coverage(
  users: number,
  truth: number,
  of: (random: Random) => number | undefined | [number, number],
) {
  let [covered, shown] = [0, 0]
  for (let seed = 1; seed <= worlds; seed += 1) {
    const found = of(seededRandom(seed * 7 + users))
    if (!Array.isArray(found)) continue
    shown += 1
    if (found[0] <= truth && found[1] >= truth) covered += 1
  }
  return { covered: covered / Math.max(1, shown), shown: shown / worlds }
}

describe('coverage of 95 %', () => {
  test.each([
    [100, 0.1],
    [400, 0.02],
    [400, 0.4],
  ])('the share of sessions, of %i users, rate %d', (users, rate) => {
    const { covered, shown } = coverage(users, rate, (random) => {
      const found = rateOfShare(sumsOf(Array.from({ length: users }, () => someUser(random, rate))))
      return found && 'lower' in found ? [found.lower, found.upper] : undefined
    })
    expect(shown).toBe(1)
    expect(covered).toBeGreaterThan(0.93)
  })

  test.each([100, 400])('events per user, of %i users', (users) => {
    const { covered, shown } = coverage(users, meanOfActive, (random) => {
      const found = rateOfMean(sumsOf(Array.from({ length: users }, () => activeUser(random))))
      return found && 'lower' in found ? [found.lower, found.upper] : undefined
    })
    expect(shown).toBeGreaterThan(0.5)
    expect(covered).toBeGreaterThan(0.92)
  })

  test('the share of users is exactly Wilson’s', () => {
    for (const [hits, total] of [
      [0, 5],
      [3, 40],
      [40, 40],
    ] as const) {
      const users = Array.from({ length: total }, (_, index) => ({ n: 1, y: index < hits ? 1 : 0 }))
      const { lower, upper } = wilsonInterval(hits, total) ?? { lower: 0, upper: 0 }
      expect(rateOfShare(sumsOf(users))).toEqual({ value: hits / total, lower, upper })
    }
  })
})

describe('one user with thousands of events', () => {
  const others = (random: Random) => Array.from({ length: 400 }, () => someUser(random, 0.1))

  test('gives no interval of a mean, and none of a share of sessions', () => {
    const users = [...others(seededRandom(1)), { n: 4_000, y: 4_000 }]
    expect(rateOfMean(sumsOf(users))).toMatchObject({ missing: 'too-uneven' })
    expect(rateOfShare(sumsOf(users))).toMatchObject({ missing: 'too-uneven' })
  })

  test('does not move the share of users', () => {
    const share = (users: readonly User[]) =>
      rateOfShare(sumsOf(users.map(({ y }) => ({ n: 1, y: y > 0 ? 1 : 0 }))))?.value ?? 0
    const users = others(seededRandom(2))
    expect(share([...users, { n: 1, y: 4_000 }])).toBeCloseTo(share(users), 2)
  })

  test('a heavy one widens the interval of a share of sessions', () => {
    const width = (users: readonly User[]) => {
      const found = rateOfShare(sumsOf(users))
      return found && 'lower' in found ? found.upper - found.lower : 0
    }
    const users = others(seededRandom(3))
    expect(width([...users, { n: 100, y: 100 }])).toBeGreaterThan(1.5 * width(users))
  })
})

test('without users, or with few, there is no interval', () => {
  expect(rateOfShare(sumsOf([]))).toBeUndefined()
  expect(rateOfMean(sumsOf([]))).toBeUndefined()
  expect(rateOfShare(sumsOf([{ n: 3, y: 1 }]))).toEqual({ value: 1 / 3, missing: 'too-few' })
  expect(rateOfMean(sumsOf([{ n: 1, y: 1 }]))).toEqual({ value: 1, missing: 'too-few' })
})

import { describe, expect, test } from 'vitest'
import { type ClusteredHistory, noHistory, type PeriodMoments, ruleOf, withHistory } from './history.ts'
import { estimateRatio } from './ratio-effect.ts'
import { type ArmName, type ClusteredSums, noSums, type StageSums } from './sums.ts'
import { seededRandom } from './testing/seeded-random.ts'

interface User {
  arm: ArmName
  stages: { n: number; y: number }[]
  x: number
}

/** Users of two stages with habits that last: `habit` is the spread of what they spend each time. */
function invent(
  count: number,
  { seed, habit, harm = 0 }: { seed: number; habit: number; harm?: number },
): User[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, () => {
    const arm = random.uniform() < 0.5 ? 'treatment' : 'control'
    const usual = 10 + habit * random.normal()
    const visits = () => 1 + random.geometric(0.5)
    const spend = (n: number) => n * (usual + 4 * random.normal()) * (arm === 'treatment' ? 1 - harm : 1)
    const stages = [0, 1].flatMap(() => (random.uniform() < 0.7 ? [visits()] : [0]))
    const before = visits()
    const isKnown = random.uniform() < 0.6
    return {
      arm,
      stages: stages.map((n) => ({ n, y: n === 0 ? 0 : spend(n) })),
      x: isKnown ? (before * (usual + 4 * random.normal()) - 10 * before) / 2 : 0,
    }
  })
}

/** The sums of the users, as the database reads them; `of` is what counts as y of a user. */
function sumUp(
  users: readonly User[],
  of: (user: User, stage: number) => number = (user, at) => user.stages[at]?.y ?? 0,
) {
  const both = () => ({ treatment: { ...noSums }, control: { ...noSums } })
  const stages = [both(), both()]
  const history = [0, 1].map(() => ({ treatment: { ...noHistory }, control: { ...noHistory } }))
  const pair = () => ({ earlier: 0, later: 1, units: 0, nn: 0, ny: 0, yn: 0, yy: 0 })
  const pairs = { treatment: pair(), control: pair() }
  const past = () => ({ earlier: 0, later: 1, ...noHistory, mx: 0, zx: 0 })
  const pasts = { treatment: past(), control: past() }
  for (const user of users) {
    const { arm, x } = user
    const own = user.stages.map(({ n }, at) => ({ n, y: of(user, at) }))
    for (const [at, { n, y }] of own.entries()) {
      const [sums, known] = [stages[at]?.[arm], history[at]?.[arm]]
      if (n === 0 || sums === undefined || known === undefined) continue
      sums.units += 1
      sums.n += n
      sums.y += y
      sums.nn += n * n
      sums.ny += n * y
      sums.yy += y * y
      known.x += x
      known.xx += x * x
      known.nx += n * x
      known.yx += y * x
    }
    const [one, other] = own
    if (one === undefined || other === undefined || one.n === 0 || other.n === 0) continue
    const shared = pairs[arm]
    shared.units += 1
    shared.nn += one.n * other.n
    shared.ny += one.n * other.y
    shared.yn += one.y * other.n
    shared.yy += one.y * other.y
    const known = pasts[arm]
    known.xx += x * x
    known.nx += one.n * x
    known.mx += other.n * x
    known.yx += one.y * x
    known.zx += other.y * x
  }
  const sums: ClusteredSums = {
    stages,
    shared: { treatment: [pairs.treatment], control: [pairs.control] },
  }
  const known: ClusteredHistory = {
    stages: history,
    shared: { treatment: [pasts.treatment], control: [pasts.control] },
  }
  return { sums, history: known }
}

describe('sums with history', () => {
  test('are the sums of what each user has left', () => {
    const users = invent(500, { seed: 3, habit: 5 })
    const { sums, history } = sumUp(users)
    const left = ({ stages, x }: User, at: number) => {
      const { treatment, control } = sums.stages[at] ?? { treatment: noSums, control: noSums }
      const all = history.stages[at] ?? { treatment: noHistory, control: noHistory }
      const n = treatment.n + control.n
      const factor = (0.7 * n) / (treatment.units + control.units)
      const mean = (factor * (all.treatment.x + all.control.x)) / n
      const own = stages[at] ?? { n: 0, y: 0 }
      return own.y - factor * x + mean * own.n
    }
    const expected = sumUp(users, left).sums
    const found = withHistory(sums, history, 0.7)
    for (const [at, stage] of found.stages.entries())
      for (const arm of ['treatment', 'control'] as const)
        for (const name of ['units', 'n', 'y', 'nn', 'ny', 'yy'] as const)
          expect(stage[arm][name], `${at} ${arm} ${name}`).toBeCloseTo(
            expected.stages[at]?.[arm][name] ?? NaN,
            5,
          )
    for (const arm of ['treatment', 'control'] as const)
      for (const name of ['nn', 'ny', 'yn', 'yy'] as const)
        expect(found.shared[arm][0]?.[name], `${arm} ${name}`).toBeCloseTo(
          expected.shared[arm][0]?.[name] ?? NaN,
          4,
        )
  })

  test('keep the ratio of both arms together, however much history those who are exposed have', () => {
    const users = invent(500, { seed: 4, habit: 5 }).map((user) => ({ ...user, x: user.x + 20 }))
    const { sums, history } = sumUp(users)
    const both = ({ treatment, control }: StageSums) => (treatment.y + control.y) / (treatment.n + control.n)
    const found = withHistory(sums, history, 0.7)
    for (const [at, stage] of found.stages.entries())
      expect(both(stage)).toBeCloseTo(both(sums.stages[at] ?? stage), 8)
  })

  test('leave the difference as it is and take out variance where habits last', () => {
    const shifts: number[] = []
    const variances: number[] = []
    for (let seed = 1; seed <= 40; seed += 1) {
      const { sums, history } = sumUp(invent(2_000, { seed, habit: 5, harm: 0.1 }))
      const [plain, less] = [estimateRatio(sums), estimateRatio(withHistory(sums, history, 0.5))]
      if ('missing' in plain || 'missing' in less) throw new Error('both can be estimated')
      shifts.push(less.effect.delta - plain.effect.delta)
      variances.push(less.effect.variance / plain.effect.variance)
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const error = Math.sqrt(mean(shifts.map((shift) => shift ** 2)) / shifts.length)
    expect(Math.abs(mean(shifts))).toBeLessThan(3.5 * error)
    expect(mean(variances)).toBeLessThan(0.92)
  })
})

describe('the rule', () => {
  /** Moments of two periods, summed by hand. */
  function momentsOf(count: number, habit: number): PeriodMoments {
    const random = seededRandom(9)
    const found: PeriodMoments = {
      ...{ users: 0, earlyUsers: 0, n: 0, y: 0, earlyN: 0, earlyY: 0 },
      ...{ nn: 0, ny: 0, yy: 0, na: 0, nb: 0, ya: 0, yb: 0, aa: 0, ab: 0, bb: 0 },
    }
    for (let user = 0; user < count; user += 1) {
      const usual = 10 + habit * random.normal()
      const [n, a] = [random.uniform() < 0.8 ? 1 : 0, random.uniform() < 0.8 ? 1 : 0]
      const [y, b] = [n * (usual + 3 * random.normal()), a * (usual + 3 * random.normal())]
      if (a > 0) {
        found.earlyUsers += 1
        found.earlyN += a
        found.earlyY += b
      }
      if (n === 0) continue
      found.users += 1
      found.n += n
      found.y += y
      found.nn += n * n
      found.ny += n * y
      found.yy += y * y
      found.na += n * a
      found.nb += n * b
      found.ya += y * a
      found.yb += y * b
      found.aa += a * a
      found.ab += a * b
      found.bb += b * b
    }
    return found
  }

  test('finds how much lasts: the part of the variance that is habit, for users seen before', () => {
    const rule = ruleOf(momentsOf(20_000, 4))
    // Habit has 16 of 25 parts of the variance of each period, and four in five were seen before.
    expect(rule?.coefficient).toBeCloseTo(0.64, 1)
    expect(rule?.reduction).toBeCloseTo(0.64 ** 2 * 0.8, 1)
    expect(rule?.ratio).toBeCloseTo(10, 0)
  })

  test('is off where history says nothing, and with few users', () => {
    expect(ruleOf(momentsOf(20_000, 0))).toBeUndefined()
    expect(ruleOf(momentsOf(150, 4))).toBeUndefined()
  })
})

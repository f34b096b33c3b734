// Simulated experiments of one stage: users arrive, spend and convert, and the goals are judged at every look.

import { type HistorySums, noHistory, ruleOf, withHistory } from '../../../statistics/history.ts'
import { type ArmName, type ClusteredSums, noSums, type UnitSums } from '../../../statistics/sums.ts'
import type { Random } from '../../../statistics/testing/seeded-random.ts'
import type { MetricEvidence } from '../../judge-metric.ts'
import type { JudgedMetric } from '../../metric-method.ts'
import { type GoalFinding, judgeGoal } from '../judge-goal.ts'

export interface ExperimentWorld {
  users: number
  looks: number
  /** The share of the treatment. */
  share: number
  /** The share of users who buy, and the spread of what they spend on a logarithmic scale. */
  buyers: number
  spread: number
  /** The share of buyers who send something back. */
  refunds: number
  /** How much of what a user spends lasts: the spread of habits on a logarithmic scale. */
  habit: number
  /** The share of users who were seen before; with it, revenue is judged with history. */
  known?: number
  /** The share of users with the rare event. */
  rare: number
  /** What the treatment multiplies: what is spent, the share of buyers, and of the rare event. */
  effect: { spent: number; buyers: number; rare: number }
}

export const shop: ExperimentWorld = {
  users: 4_000,
  looks: 10,
  share: 0.5,
  buyers: 0.2,
  spread: 0.8,
  refunds: 0.05,
  habit: 0,
  rare: 0.03,
  effect: { spent: 1, buyers: 1, rare: 1 },
}

/** Revenue per user, the share of buyers, and a rare event that is better when it is more frequent. */
export const simulatedGoals = ['revenue', 'buyers', 'sign-ups'] as const
export type SimulatedGoal = (typeof simulatedGoals)[number]

const measure = 'custom:paid'
const frozen = { alphaWeight: 1, better: 'higher', limit: 0.05 } as const
export const judgedGoals: Record<SimulatedGoal, JudgedMetric> = {
  revenue: {
    ...frozen,
    metric: 'revenue',
    method: { kind: 'total', measure, sums: 'values', each: 'unit', of: 'session', cap: 400 },
  },
  buyers: { ...frozen, metric: 'buyers', method: { kind: 'share', measure, of: 'session' } },
  'sign-ups': {
    ...frozen,
    metric: 'sign-ups',
    method: { kind: 'rare-share', measure: 'custom:signed-up', of: 'session' },
  },
}

type MutableHistory = { -readonly [Name in keyof HistorySums]: HistorySums[Name] }
type Mutable = { -readonly [Name in keyof UnitSums]: UnitSums[Name] }

class Tally {
  readonly #sums: Record<ArmName, Mutable> = { treatment: { ...noSums }, control: { ...noSums } }
  readonly #past: Record<ArmName, MutableHistory> = { treatment: { ...noHistory }, control: { ...noHistory } }
  withEvent = 0

  add(arm: ArmName, y: number, x = 0): void {
    const sums = this.#sums[arm]
    sums.units += 1
    sums.n += 1
    sums.nn += 1
    sums.y += y
    sums.ny += y
    sums.yy += y * y
    if (y !== 0) this.withEvent += 1
    const past = this.#past[arm]
    past.x += x
    past.xx += x * x
    past.nx += x
    past.yx += y * x
  }

  /** With what history explains taken out. */
  adjusted(coefficient: number): ClusteredSums {
    const history = { stages: [this.#past], shared: { treatment: [], control: [] } }
    return withHistory(this.sums, history, coefficient)
  }

  get sums(): ClusteredSums {
    return { stages: [structuredClone(this.#sums)], shared: { treatment: [], control: [] } }
  }
}

export type Looks = Record<SimulatedGoal, GoalFinding>[]

/** The findings of every look, oldest first. */
export function runExperiment(world: ExperimentWorld, random: Random, level: number): Looks {
  const [revenue, buyers] = [new Tally(), new Tally()]
  const rare = { treatment: 0, control: 0 }
  const units = { treatment: 0, control: 0 }
  const rule = ruleOfPast(world, random)
  const looks: Looks = []
  for (let user = 1; user <= world.users; user += 1) {
    const arm = random.uniform() < world.share ? 'treatment' : 'control'
    const { spent, buyers: more, rare: rarer } = effectIn(world, arm)
    const habit = world.habit * random.normal()
    const { paid, buys } = visit(world, random, { habit, spent, more })
    const isKnown = random.uniform() < (world.known ?? 0)
    const before = isKnown ? visit(world, random, { habit, spent: 1, more: 1 }).paid - rule.ratio : 0
    revenue.add(arm, paid, before / rule.mean)
    buyers.add(arm, buys ? 1 : 0)
    if (random.uniform() < world.rare * rarer) rare[arm] += 1
    units[arm] += 1
    if (user % Math.floor(world.users / world.looks) !== 0) continue
    const evidence: Record<SimulatedGoal, MetricEvidence> = {
      revenue: {
        kind: 'ratio',
        sums: world.known === undefined ? revenue.sums : revenue.adjusted(rule.coefficient),
        unitsWithEvent: revenue.withEvent,
      },
      buyers: { kind: 'ratio', sums: buyers.sums },
      'sign-ups': { kind: 'events', stages: [{ ...rare, share: world.share }], units: { ...units } },
    }
    const find = (goal: SimulatedGoal) => judgeGoal(judgedGoals[goal], evidence[goal], { level })
    looks.push({ revenue: find('revenue'), buyers: find('buyers'), 'sign-ups': find('sign-ups') })
  }
  return looks
}

interface Visit {
  habit: number
  spent: number
  more: number
}

function visit({ buyers, spread, refunds }: ExperimentWorld, random: Random, { habit, spent, more }: Visit) {
  // Users with a habit also buy more often.
  const buys = random.uniform() < Math.min(1, buyers * more * Math.exp(habit - habit ** 2 / 20))
  const basket = buys ? 40 * spent * Math.exp(spread * random.normal() + habit) : 0
  const returned = buys && random.uniform() < refunds ? basket * 2 * random.uniform() : 0
  return { paid: Math.max(-400, Math.min(400, basket - returned)), buys }
}

const pastUsers = 4_000

/** From two weeks of other users before the start. */
function ruleOfPast(
  world: ExperimentWorld,
  random: Random,
): { coefficient: number; ratio: number; mean: number } {
  const none = { coefficient: 0, ratio: 0, mean: 1 }
  if (world.known === undefined) return none
  const sums = { y: 0, yy: 0, yb: 0, b: 0, bb: 0, early: 0, ya: 0 }
  for (let user = 0; user < pastUsers; user += 1) {
    const habit = world.habit * random.normal()
    const y = visit(world, random, { habit, spent: 1, more: 1 }).paid
    const isKnown = random.uniform() < world.known
    const b = isKnown ? visit(world, random, { habit, spent: 1, more: 1 }).paid : 0
    sums.y += y
    sums.yy += y * y
    sums.yb += y * b
    sums.b += b
    sums.bb += b * b
    sums.early += isKnown ? 1 : 0
    sums.ya += isKnown ? y : 0
  }
  const { y, yy, yb, b, bb, early, ya } = sums
  const found = ruleOf({
    ...{ users: pastUsers, n: pastUsers, nn: pastUsers, y, ny: y, yy },
    ...{ earlyUsers: early, earlyN: early, aa: early, na: early, earlyY: b, ab: b, nb: b },
    ...{ yb, bb, ya },
  })
  return found ?? none
}

function effectIn({ effect }: ExperimentWorld, arm: ArmName): ExperimentWorld['effect'] {
  return arm === 'treatment' ? effect : { spent: 1, buyers: 1, rare: 1 }
}

/** The relative change of each goal that the world was made with. */
export function trueChange({ effect }: ExperimentWorld): Record<SimulatedGoal, number> {
  return {
    revenue: effect.spent * effect.buyers - 1,
    buyers: effect.buyers - 1,
    'sign-ups': effect.rare - 1,
  }
}

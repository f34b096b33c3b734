// Simulated experiments with conversion windows: users come at a steady rate and convert some time after their exposure;
// at every look those whose window is over are judged, with what happened within it.

import { noSums, type UnitSums } from '../../../statistics/sums.ts'
import type { Random } from '../../../statistics/testing/seeded-random.ts'
import type { MetricEvidence } from '../../judge-metric.ts'
import { type GoalFinding, judgeGoal } from '../judge-goal.ts'
import { judgedGoals } from './simulated-experiment.ts'

export interface WindowWorld {
  users: number
  looks: number
  /** Parts of the time in which all users come. */
  window: number
  /** The mean time until a conversion. */
  delay: number
  /** Users who convert at any time. */
  converting: { treatment: number; control: number }
  /** How much faster the users of the treatment convert; their number stays. */
  faster: number
  isRare: boolean
}

export const visits: WindowWorld = {
  users: 4_000,
  looks: 20,
  window: 0.2,
  delay: 0.15,
  converting: { treatment: 0.3, control: 0.3 },
  faster: 1,
  isRare: false,
}

/** The relative change of the share within the window. */
export function trueWindowChange({ window, delay, converting, faster }: WindowWorld): number {
  const within = (speed: number) => 1 - Math.exp((-window * speed) / delay)
  return (converting.treatment * within(faster)) / (converting.control * within(1)) - 1
}

/** The findings of every look, oldest first. */
export function runWindows(world: WindowWorld, random: Random, level: number): GoalFinding[] {
  const { users, looks, window, delay, isRare } = world
  const goal = judgedGoals[isRare ? 'sign-ups' : 'buyers']
  const people = Array.from({ length: users }, (_, index) => {
    const arm = random.uniform() < 0.5 ? ('treatment' as const) : ('control' as const)
    const converts = random.uniform() < world.converting[arm]
    const speed = arm === 'treatment' ? world.faster : 1
    const after = converts ? (-Math.log(1 - random.uniform()) * delay) / speed : Number.POSITIVE_INFINITY
    return { arm, at: index / users, hit: after <= window ? 1 : 0 }
  })
  return Array.from({ length: looks }, (_, look) => {
    const now = ((look + 1) / looks) * (1 + window)
    const counted = people.filter(({ at }) => at + window <= now)
    return judgeGoal(goal, evidenceOf(counted, isRare), { level })
  })
}

type Person = { arm: 'treatment' | 'control'; hit: number }

function evidenceOf(people: readonly Person[], isRare: boolean): MetricEvidence {
  const sums = (arm: Person['arm']): UnitSums => {
    const own = people.filter((one) => one.arm === arm)
    const [n, y] = [own.length, own.reduce((sum, { hit }) => sum + hit, 0)]
    return { ...noSums, units: n, n, y, nn: n, ny: y, yy: y }
  }
  const [treatment, control] = [sums('treatment'), sums('control')]
  if (!isRare)
    return {
      kind: 'ratio',
      sums: { stages: [{ treatment, control }], shared: { treatment: [], control: [] } },
    }
  return {
    kind: 'events',
    stages: [{ treatment: treatment.y, control: control.y, share: 0.5 }],
    units: { treatment: treatment.n, control: control.n },
  }
}

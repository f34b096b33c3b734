// Invented sites where some users fail: users differ in how prone to failures they are and in how often they come back.
// Every flag splits them independently; at most one variation causes failures. The true share is known at each moment.

import type { Random } from '../../statistics/testing/seeded-random.ts'
import type { RunEpoch, SplitRun } from '../attribute-failures.ts'

export interface FailureDesign {
  users: number
  flags: number
  /** How many times as often users of the harmful variation fail; 1: no flag has an effect. */
  ratio: number
  /** The mean probability of a failure in one visit without it. */
  risk: number
  /** Moments at which the bounds are read. */
  looks: number
}

interface InventedRun extends SplitRun {
  flag: number
  epochs: InventedEpoch[]
}
interface InventedEpoch extends RunEpoch {
  failed: Map<string, number>
}

export interface FailureLook {
  runs: readonly SplitRun[]
  /** The same with every failure counted, as if each were another user. */
  events: readonly SplitRun[]
  truth(run: SplitRun, variation: string): number
}

/** The variation of the first flag that causes failures, if any does. */
export const harmful = 'one-page'

const weights = [
  [50_000, 50_000],
  [90_000, 10_000],
  [40_000, 30_000, 30_000],
]
const variations = ['control', harmful, 'tabs']

/** The looks at one site, in order of time. Sites of odd numbers ramp up; users of the others come back. */
export function inventFailures(design: FailureDesign, random: Random, number: number): FailureLook[] {
  const isRamp = number % 2 === 1
  const runs = inventRuns(design.flags, random, isRamp)
  const events = runs.map(copyOf)
  // By arm of the first flag: the expected number of failed users, had everyone so far been in it.
  const risks = new Map(variations.map((variation) => [variation, 0]))
  const looks: FailureLook[] = []
  for (let user = 0; user < design.users; user += 1) {
    const proneness = Math.min(0.9 / design.ratio, design.risk * Math.exp(random.normal() - 0.5))
    const epoch = isRamp && user > design.users / 2 ? 1 : 0
    const arms = runs.map((run) => armOf(run.epochs[epoch], random.uniform()))
    const ratio = arms[0] === harmful ? design.ratio : 1
    const visits = isRamp ? 1 : 1 + Math.min(20, random.geometric(0.4))
    let failures = 0
    for (let visit = 0; visit < visits; visit += 1) failures += Number(random.uniform() < proneness * ratio)
    for (const [flag, arm] of arms.entries()) {
      if (failures > 0) add(runs[flag]?.epochs[epoch], arm, 1)
      // A failing page often fails again and again.
      add(events[flag]?.epochs[epoch], arm, failures * (1 + random.geometric(0.2)))
    }
    for (const [variation, risk] of risks) {
      const probability = proneness * (variation === harmful ? design.ratio : 1)
      risks.set(variation, risk + 1 - (1 - probability) ** visits)
    }
    if ((user + 1) % Math.floor(design.users / design.looks) === 0) {
      const soFar = new Map(risks)
      looks.push({
        runs: runs.map(copyOf),
        events: events.map(copyOf),
        truth: (run, variation) => truthOf(run, variation, soFar),
      })
    }
  }
  return looks
}

function inventRuns(flags: number, random: Random, isRamp: boolean): InventedRun[] {
  return Array.from({ length: flags }, (_, flag) => {
    const shares = weights[Math.floor(random.uniform() * (isRamp ? 2 : 3))] ?? []
    const arms = shares.map((weight, arm) => ({ variation: variations[arm] ?? '', weight }))
    const [control, treatment] = arms
    const half = [control, treatment].flatMap((arm) => (arm ? [{ ...arm, weight: 50_000 }] : []))
    const epochs = isRamp ? [arms, half] : [arms]
    return {
      flag,
      epochs: epochs.map((divided, epoch) => ({ epoch: epoch + 1, arms: divided, failed: new Map() })),
    }
  })
}

const copyOf = ({ flag, epochs }: InventedRun): InventedRun => ({
  flag,
  epochs: epochs.map((epoch) => ({ ...epoch, failed: new Map(epoch.failed) })),
})

function armOf(epoch: InventedEpoch | undefined, position: number): string {
  let below = 0
  for (const { variation, weight } of epoch?.arms ?? []) {
    below += weight / 100_000
    if (position < below) return variation
  }
  return 'control'
}

function add(epoch: InventedEpoch | undefined, arm: string, count: number): void {
  epoch?.failed.set(arm, (epoch.failed.get(arm) ?? 0) + count)
}

/** One minus the risk of the other arms over that of the variation. Only the first flag has an effect. */
function truthOf(run: SplitRun, variation: string, risks: ReadonlyMap<string, number>): number {
  if (!('flag' in run) || run.flag !== 0) return 0
  const arms = run.epochs[0]?.arms ?? []
  const others = arms.filter((arm) => arm.variation !== variation)
  const all = others.reduce((sum, { weight }) => sum + weight, 0)
  const risk = others.reduce((sum, arm) => sum + (arm.weight / all) * (risks.get(arm.variation) ?? 0), 0)
  return Math.max(0, 1 - risk / (risks.get(variation) ?? 1))
}

// Invented fixes: a rollout that was rolled back because of one error, and the next one, looked at while users arrive.
// Users fail some time after they arrive, so a look always misses failures of the newest ones.

import type { Random } from '../../statistics/testing/seeded-random.ts'
import { type AffectedUnits, type FixState, judgeFix, unitsForFix } from '../judge-fix.ts'

export interface FixDesign {
  /** Share of users who have the error without the fault. */
  usual: number
  /** Share who have it because of the fault. */
  harm: number
  /** The part of the harm that the change removed: 1 is a true fix. */
  removed: number
  /** Of the next rollout, the share of users with the treatment. */
  share: number
  contributors: number
  looks: number
  /** Replaces the rule, to show that the test would notice. */
  judge?: typeof judgeFix
}

export interface FixRun {
  /** Units of the treatment that the plan asks for; undefined if it can promise none. */
  planned: number | undefined
  states: FixState[]
}

export function runFix(design: FixDesign, random: Random): FixRun {
  const { usual, harm, share, contributors, looks, judge = judgeFix } = design
  const before = measure({ arms: [2_000, 2_000], rates: [usual + harm, usual] }, random)
  const planned = unitsForFix(before, { contributors, controlPerTreated: (1 - share) / share })
  const states: FixState[] = []
  const units = planned ?? 3_000
  const rest = usual + harm * (1 - design.removed)
  const now: AffectedUnits = { treatment: { hits: 0, total: 0 }, control: { hits: 0, total: 0 } }
  for (let look = 1; look <= looks; look += 1) {
    const upTo = (units * look) / looks
    arrive(now.treatment, upTo, { rate: rest, random })
    arrive(now.control, (upTo * (1 - share)) / share, { rate: usual, random })
    states.push(judge({ before, now }, { contributors }).state)
  }
  return { planned, states }
}

function arrive(
  arm: { hits: number; total: number },
  upTo: number,
  { rate, random }: { rate: number; random: Random },
): void {
  while (arm.total < Math.round(upTo)) {
    arm.total += 1
    if (random.uniform() < rate) arm.hits += 1
  }
}

function measure(
  { arms, rates }: { arms: readonly [number, number]; rates: readonly [number, number] },
  random: Random,
): AffectedUnits {
  const [treatment, control] = [0, 1].map((arm) => {
    const share = { hits: 0, total: 0 }
    arrive(share, arms[arm] ?? 0, { rate: rates[arm] ?? 0, random })
    return share
  })
  const none = { hits: 0, total: 0 }
  return { treatment: treatment ?? none, control: control ?? none }
}

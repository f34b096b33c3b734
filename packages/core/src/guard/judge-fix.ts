// Whether a change fixed what explained a rollback. The harm of each contributor was frozen as it was measured: the excess
// share of affected users in the treatment. The next rollout measures the same excess, and the verdict is about the part
// of it that is gone. Every bound holds at any time.

import { fourInFive } from '../statistics/normal.ts'
import { proportionBounds } from '../statistics/proportion-bounds.ts'
import type { Share } from '../statistics/risk-ratio.ts'
import type { ArmName } from '../statistics/sums.ts'
import { leastThat } from './least-that.ts'

/** In each arm, units that were affected, of all exposed ones. */
export type AffectedUnits = Record<ArmName, Share>

export interface Excess {
  lower: number
  estimate: number
  upper: number
}

export type FixState = 'fixed' | 'not-fixed' | 'undecided'

export interface FixFinding {
  state: FixState
  /** The part of the harm that is gone, at most 1; below 0 if there is more of it. Null without users in both arms. */
  gone: Excess | null
}

/** With the counts of the rollout that it is about. */
export interface SeenFix extends FixFinding {
  now: AffectedUnits
}

export type FixVerdict = FixState | 'moved'

/** The probability that any contributor that is still there is ever called fixed. */
export const fixLevel = 0.05
/** Fixed: at least this part of the harm is surely gone. Not fixed: surely less than that. */
export const fixedShare = 0.8

/** The excess share of affected units in the treatment. Each end errs with at most this probability. */
export function affectedExcess({ treatment, control }: AffectedUnits, level: number): Excess {
  const [treated, kept] = [proportionBounds(treatment, level / 2), proportionBounds(control, level / 2)]
  const rate = ({ hits, total }: Share) => (total > 0 ? hits / total : 0)
  return {
    lower: treated.lower - kept.upper,
    estimate: rate(treatment) - rate(control),
    upper: treated.upper - kept.lower,
  }
}

/**
 * `contributors`: how many are judged in the rollout; the error rate is divided among them. `before` and `now` are
 * independent, so each gets half of it.
 */
export function judgeFix(
  { before, now }: { before: AffectedUnits; now: AffectedUnits },
  { contributors, allowed = 1 - fixedShare }: { contributors: number; allowed?: number },
): FixFinding {
  if (now.treatment.total === 0 || now.control.total === 0) return { state: 'undecided', gone: null }
  const level = fixLevel / Math.max(1, contributors) / 2
  const [harm, rest] = [affectedExcess(before, level), affectedExcess(now, level)]
  // What was not surely there cannot be proven to be gone.
  if (!(harm.lower > 0)) return { state: 'undecided', gone: null }
  const gone = {
    lower: 1 - Math.max(0, rest.upper) / (rest.upper > 0 ? harm.lower : 1),
    estimate: 1 - Math.max(0, rest.estimate) / harm.estimate,
    upper: 1 - Math.max(0, rest.lower) / harm.upper,
  }
  if (gone.lower >= 1 - allowed) return { state: 'fixed', gone }
  return { state: gone.upper < fixedShare ? 'not-fixed' : 'undecided', gone }
}

/**
 * The part of the harm that may remain before a stage ends: as with every limit, early stages exclude disasters, and the
 * last one demands the limit itself. `nextShare`: of all units, who get the treatment next.
 */
export const allowedBefore = (nextShare: number) => Math.min(1, (1 - fixedShare) / Math.max(nextShare, 1e-6))

/**
 * Of all contributors together: one that is not fixed decides. If all are gone and a metric that regressed before
 * regressed again, the harm moved elsewhere.
 */
export function fixVerdict(states: readonly FixState[], hasRegressedAgain: boolean): FixVerdict {
  if (states.includes('not-fixed')) return 'not-fixed'
  if (states.length === 0 || states.includes('undecided')) return 'undecided'
  return hasRegressedAgain ? 'moved' : 'fixed'
}

/**
 * Units of the treatment that are called fixed in 80 % of cases if nothing of the harm remains, with so many times as
 * many in the control; undefined if no number is enough.
 */
export function unitsForFix(
  before: AffectedUnits,
  { contributors, controlPerTreated = 1 }: { contributors: number; controlPerTreated?: number },
): number | undefined {
  const usual = before.control.hits / Math.max(1, before.control.total)
  const isEnough = (units: number) => {
    const others = units * controlPerTreated
    const deviation = (of: number) => fourInFive * Math.sqrt((usual * (1 - usual)) / of)
    // Both arms together as unlucky as one in five.
    const both = Math.hypot(deviation(units), deviation(others))
    const spread = (of: number) => (both === 0 ? 0 : (deviation(of) * deviation(of)) / both)
    const now = {
      treatment: { hits: Math.min(units, Math.ceil((usual + spread(units)) * units)), total: units },
      control: { hits: Math.max(0, Math.floor((usual - spread(others)) * others)), total: others },
    }
    return judgeFix({ before, now }, { contributors }).state === 'fixed'
  }
  return leastThat(isEnough)
}

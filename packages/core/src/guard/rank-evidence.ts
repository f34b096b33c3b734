// Contributors to the gap between two arms: each candidate by its own excess, with its share of the total. Corrected
// for the number of candidates: without a real difference, any is named in at most 5 % of cases, at any time. A
// contributor is not a cause: it shows where the gap is.

import { isEnough } from '../statistics/boundary.ts'
import { logShareEvidence, type StageEvents } from '../statistics/event-share.ts'
import { type Excess, eventExcess, meanExcess, shareOfExcess } from '../statistics/excess.ts'
import { isHarmedMore } from '../statistics/interaction.ts'
import type { StageSums } from '../statistics/sums.ts'

/** The sums of one candidate and of all others of its kind. */
type CandidateSums =
  /**
   * Units by the stage and arm of their first occurrence; `rest` are units with others of the kind and never this
   * one.
   */
  | { kind: 'events'; part: readonly StageEvents[]; rest: readonly StageEvents[] }
  /** A value of units, of which it is a part. */
  | { kind: 'means'; part: readonly StageSums[]; rest: readonly StageSums[] }
  /** A part of the people and everybody else: being many is not enough. */
  | { kind: 'slice'; part: readonly StageSums[]; rest: readonly StageSums[] }

export interface Candidate<Name> {
  name: Name
  sums: CandidateSums
}

export interface Explanation<Name> {
  name: Name
  /** In the treatment, beyond the expectation from the control. */
  excess: Excess
  /** Its share of the excess of its kind, from 0 to 1. */
  share: Excess
}

/** The probability that any is named without a difference. */
const level = 0.05
/** The contributors, largest share first; often none. */
export function rankEvidence<Name>(candidates: readonly Candidate<Name>[]): Explanation<Name>[] {
  const each = level / Math.max(1, candidates.length)
  return candidates
    .flatMap(({ name, sums }) => {
      const found = measure(sums, each)
      return found === undefined ? [] : [{ name, ...found }]
    })
    .sort(
      (one, other) =>
        other.share.estimate - one.share.estimate ||
        other.share.lower - one.share.lower ||
        other.excess.estimate - one.excess.estimate,
    )
}

function measure(sums: CandidateSums, each: number): Omit<Explanation<never>, 'name'> | undefined {
  if (!isSurelyMore(sums, each)) return undefined
  if (sums.kind === 'slice' && !isHarmedMore(sums.part, sums.rest, each)) return undefined
  const excess = excessOf(sums, 'part', each)
  if (excess === undefined) return undefined
  // Two bounds: each gets half of the level.
  const [part, rest] = [excessOf(sums, 'part', each / 2), excessOf(sums, 'rest', each / 2)]
  return { excess, share: shareOfExcess(part ?? excess, rest ?? none) }
}

/** Whether the lower bound is above zero. */
function isSurelyMore(sums: CandidateSums, each: number): boolean {
  if (sums.kind === 'events') return isEnough(logShareEvidence(sums.part, 1, 'more'), each)
  return (meanExcess(sums.part, each)?.lower ?? 0) > 0
}

const none: Excess = { lower: 0, estimate: 0, upper: 0 }

function excessOf(sums: CandidateSums, side: 'part' | 'rest', each: number): Excess | undefined {
  return sums.kind === 'events' ? eventExcess(sums[side], each) : meanExcess(sums[side], each)
}

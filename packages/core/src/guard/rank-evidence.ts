// Of everything that may stand behind the gap between two arms, what does: each candidate by its own excess, with the share of
// the whole that it is. Many are looked at, so each has to be surer than one alone: that anything at all is named without a
// difference behind it happens in no more than one of twenty, at any time. A name is no cause: it says where the gap is.

import { isEnough } from '../statistics/boundary.ts'
import { logShareEvidence, type StageEvents } from '../statistics/event-share.ts'
import { type Excess, eventExcess, meanExcess, shareOfExcess } from '../statistics/excess.ts'
import { isHarmedMore } from '../statistics/interaction.ts'
import type { StageSums } from '../statistics/sums.ts'

/** Of one candidate and of all else of its kind. */
export type CandidateSums =
  /** Units by where they met it first; those who met others of its kind, and never it. */
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
  /** In the treatment, beyond what the control leads one to expect. */
  excess: Excess
  /** Of the excess of all of its kind, from 0 to 1. */
  share: Excess
}

/** The chance that anything is named where there is nothing. */
const level = 0.05
/** What stands out, the largest share first; often nothing. */
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
  // Two ends at once: each may miss half as often.
  const [part, rest] = [excessOf(sums, 'part', each / 2), excessOf(sums, 'rest', each / 2)]
  return { excess, share: shareOfExcess(part ?? excess, rest ?? none) }
}

/** The lower end is above zero. */
function isSurelyMore(sums: CandidateSums, each: number): boolean {
  if (sums.kind === 'events') return isEnough(logShareEvidence(sums.part, 1, 'more'), each)
  return (meanExcess(sums.part, each)?.lower ?? 0) > 0
}

const none: Excess = { lower: 0, estimate: 0, upper: 0 }

function excessOf(sums: CandidateSums, side: 'part' | 'rest', each: number): Excess | undefined {
  return sums.kind === 'events' ? eventExcess(sums[side], each) : meanExcess(sums[side], each)
}

// The excess of the treatment over the expectation from the control, for one part and for the rest, and the part's
// share of the total excess. Every bound is valid at any time with its own level.

import { type StageEvents, shareInterval, shareRatio } from './event-share.ts'
import { meanDifference } from './mean-difference.ts'
import type { StageSums } from './sums.ts'

/** In the treatment: units with an event, or the sum of a value. Negative if there is less than expected. */
export interface Excess {
  lower: number
  estimate: number
  upper: number
}

/** Exact for any number of events: of all units with the event, how many were in the treatment. */
export function eventExcess(stages: readonly StageEvents[], level: number): Excess {
  const met = stages.reduce((sum, { treatment }) => sum + treatment, 0)
  const expected = stages.reduce((sum, { control, share }) => {
    return share > 0 && share < 1 ? sum + (control * share) / (1 - share) : sum
  }, 0)
  const { lower, upper } = shareInterval(stages, { lower: level, upper: level })
  const ratio = shareRatio(stages)
  // Of the units with the event in the treatment, one in `times` is expected without an effect.
  const beyond = (times: number) => (times > 0 ? met * (1 - 1 / times) : Number.NEGATIVE_INFINITY)
  return {
    lower: met === 0 && expected === 0 ? 0 : beyond(lower),
    estimate: ratio === undefined ? 0 : ratio > 0 ? beyond(ratio) : -expected,
    upper: met === 0 ? 0 : beyond(upper),
  }
}

/** The contributors to a gap are far larger than the effects that a verdict looks for. */
export const explaining = { usual: 1, mayReturn: true }

/** Undefined with fewer than two units in an arm. */
export function meanExcess(stages: readonly StageSums[], level: number): Excess | undefined {
  const found = meanDifference(stages, 2 * level, explaining)
  if (found === undefined) return undefined
  const treated = stages.reduce((sum, { treatment }) => sum + treatment.n, 0)
  return {
    lower: treated * found.lower,
    estimate: treated * found.change,
    upper: treated * found.upper,
  }
}

/** From 0 to 1. Part and rest have no events in common, so each can be anywhere in its own interval. */
export function shareOfExcess(part: Excess, rest: Excess): Excess {
  const share = (own: number, others: number) => {
    if (!(own > 0)) return 0
    if (!(others > 0) || own === Number.POSITIVE_INFINITY) return 1
    return own / (own + others)
  }
  return {
    lower: share(part.lower, rest.upper),
    estimate: share(part.estimate, rest.estimate),
    upper: share(part.upper, rest.lower),
  }
}

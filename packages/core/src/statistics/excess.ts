// How much more of something the treatment has than the control leads one to expect, of a part and of the rest, and which
// share of the whole excess the part is. Every end holds at any time with its own level.

import { type StageEvents, shareInterval, shareRatio } from './event-share.ts'
import { meanDifference } from './mean-difference.ts'
import type { StageSums } from './sums.ts'

/** In the treatment: units that met an event, or the sum of a value. Below zero there is less than expected. */
export interface Excess {
  lower: number
  estimate: number
  upper: number
}

/** Exact, however few there are: of all units that met it, who was in the treatment. */
export function eventExcess(stages: readonly StageEvents[], level: number): Excess {
  const met = stages.reduce((sum, { treatment }) => sum + treatment, 0)
  const expected = stages.reduce((sum, { control, share }) => {
    return share > 0 && share < 1 ? sum + (control * share) / (1 - share) : sum
  }, 0)
  const { lower, upper } = shareInterval(stages, { lower: level, upper: level })
  const ratio = shareRatio(stages)
  // Of those who met it in the treatment, all but one part in the ratio met it because of more than chance.
  const beyond = (times: number) => (times > 0 ? met * (1 - 1 / times) : Number.NEGATIVE_INFINITY)
  return {
    lower: met === 0 && expected === 0 ? 0 : beyond(lower),
    estimate: ratio === undefined ? 0 : ratio > 0 ? beyond(ratio) : -expected,
    upper: met === 0 ? 0 : beyond(upper),
  }
}

/** What explains a gap is far larger than what a verdict looks for. */
export const explaining = { usual: 1, mayReturn: true }

/** Nothing without two units on both sides. */
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

/** Between 0 and 1. Part and rest have no unit's event in common, so each may be anywhere in its own interval. */
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

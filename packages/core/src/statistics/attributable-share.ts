// Of the units that had an event in one arm of a split: how many would not have had it in the other arms? With a random
// assignment and a risk `r` times that of the others, at least 1 - 1/r of them: the attributable fraction among the exposed
// (Levin 1953; Greenland and Robins 1988). It bounds the probability that the arm was necessary for the event from below,
// whatever the other causes are and even if the arm protects some units (Tian and Pearl 2000).

import { isEnough } from './boundary.ts'
import { logShareEvidence, type StageEvents, shareLower, shareRatio } from './event-share.ts'

/**
 * The lower bound of the attributable share, between 0 and 1; 0 if nothing shows an effect. Valid at any time: by the
 * anytime-valid lower bound of the ratio in `shareLower`, which errs with probability `level` over all looks together.
 * Counts units by their first event, never events: a unit with thousands of them is one.
 */
export function attributableLower(stages: readonly StageEvents[], level: number): number {
  // In most cases without computing the bound: it is above 1 if the evidence against 1 is enough.
  if ((shareRatio(stages) ?? 0) <= 1 || !isEnough(logShareEvidence(stages, 1, 'more'), level)) return 0
  const ratio = shareLower(stages, level)
  return ratio > 1 ? 1 - 1 / ratio : 0
}

/** The estimate of the same share: 1 if no unit of the other arms had the event; undefined without events. */
export function attributableEstimate(stages: readonly StageEvents[]): number | undefined {
  const ratio = shareRatio(stages)
  if (ratio === undefined) return undefined
  return ratio > 1 ? 1 - 1 / ratio : 0
}

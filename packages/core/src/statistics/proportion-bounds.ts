// Bounds of a proportion that hold at every look, by the beta-binomial mixture: the likelihood of the counts averaged over
// a beta distribution of the proportion, against that of one proportion, exceeds 1 / level with at most this probability
// at any time (Robbins 1970; Ville 1939). Finite and exact for no hits, where a normal approximation has no variance.

import { logBeta } from './incomplete-beta.ts'
import type { Share } from './risk-ratio.ts'

/** Jeffreys' prior: most of its weight is near 0 and 1, as for shares of users with an error. */
const prior = 0.5
const halvings = 60

/** Each bound errs with at most this probability over all looks together. Without units 0 and 1. */
export function proportionBounds({ hits, total }: Share, level: number): { lower: number; upper: number } {
  if (!(total > 0)) return { lower: 0, upper: 1 }
  const met = Math.min(hits, total)
  const mixture = logBeta(prior + met, prior + total - met) - logBeta(prior, prior)
  const isExcluded = (share: number) => {
    const likelihood =
      (met === 0 ? 0 : met * Math.log(share)) + (met === total ? 0 : (total - met) * Math.log1p(-share))
    return mixture - likelihood >= Math.log(1 / level)
  }
  const estimate = met / total
  return {
    lower: met === 0 ? 0 : edge(isExcluded, [0, estimate]),
    upper: met === total ? 1 : edge(isExcluded, [1, estimate]),
  }
}

/** The end of the interval between an excluded share and the estimate. */
function edge(isExcluded: (share: number) => boolean, [outside, inside]: readonly [number, number]): number {
  let [out, within] = [outside, inside]
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (out + within) / 2
    if (isExcluded(middle)) out = middle
    else within = middle
  }
  // On the side that is excluded, so that rounding never narrows the interval.
  return out
}

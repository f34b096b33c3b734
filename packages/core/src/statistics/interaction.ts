// Whether a segment of users is harmed more than all others. If the base rates differ, the same harm differs on one of
// the two scales: so it must be larger both in absolute terms and as a ratio.

import { isEnough, logEvidence } from './boundary.ts'
import { explaining } from './excess.ts'
import { meanDifference } from './mean-difference.ts'
import { estimateRatio } from './ratio-effect.ts'
import type { StageSums } from './sums.ts'

/** Typical ratio of ratios, as a logarithm. */
const usualFactor = 0.7
/** Typical difference of differences, relative to the largest mean. */
const usualDifference = 1

export function isHarmedMore(
  inside: readonly StageSums[],
  outside: readonly StageSums[],
  level: number,
): boolean {
  return isMoreInNumbers(inside, outside, level) && isMoreInTimes(inside, outside, level)
}

function isMoreInNumbers(inside: readonly StageSums[], outside: readonly StageSums[], level: number) {
  const [here, elsewhere] = [inside, outside].map((stages) => meanDifference(stages, level, explaining))
  if (here === undefined || elsewhere === undefined) return false
  const variance = here.variance + elsewhere.variance
  const means = [here.control, here.treatment, elsewhere.control, elsewhere.treatment]
  const prior = usualDifference * Math.max(...means)
  const excess = here.change - elsewhere.change
  if (!(excess > 0) || !(variance > 0) || !(prior > 0)) return false
  return isEnough(logEvidence({ excess, variance, prior }), level)
}

/** If the control is zero there is no ratio: then only the absolute difference counts. */
function isMoreInTimes(inside: readonly StageSums[], outside: readonly StageSums[], level: number) {
  const noShared = { treatment: [], control: [] }
  const here = estimateRatio({ stages: inside, shared: noShared })
  const elsewhere = estimateRatio({ stages: outside, shared: noShared })
  if (!('effect' in here) || !('effect' in elsewhere)) return true
  const excess = here.effect.delta - elsewhere.effect.delta
  const variance = here.effect.variance + elsewhere.effect.variance
  return isEnough(logEvidence({ excess, variance, prior: usualFactor }), level)
}

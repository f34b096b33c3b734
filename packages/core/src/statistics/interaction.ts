// Whether a part of the people is harmed more than everybody else. Where the same harm meets another base, one of two scales
// always differs: so it has to be more both in absolute numbers and in times as much.

import { isEnough, logEvidence } from './boundary.ts'
import { explaining } from './excess.ts'
import { meanDifference } from './mean-difference.ts'
import { estimateRatio } from './ratio-effect.ts'
import type { StageSums } from './sums.ts'

/** Of how many times as much, in logarithms. */
const usualFactor = 0.7
/** A difference of differences, as a part of the largest mean. */
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

/** Where the control has none at all there is no such number: then the other scale decides alone. */
function isMoreInTimes(inside: readonly StageSums[], outside: readonly StageSums[], level: number) {
  const noShared = { treatment: [], control: [] }
  const here = estimateRatio({ stages: inside, shared: noShared })
  const elsewhere = estimateRatio({ stages: outside, shared: noShared })
  if (!('effect' in here) || !('effect' in elsewhere)) return true
  const excess = here.effect.delta - elsewhere.effect.delta
  const variance = here.effect.variance + elsewhere.effect.variance
  return isEnough(logEvidence({ excess, variance, prior: usualFactor }), level)
}

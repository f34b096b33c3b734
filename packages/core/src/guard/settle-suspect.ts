// How many users a 50:50 split needs until its guard calls the suspected harm a regression in 80 % of cases: by the
// boundary of the guard itself, with the metric's share of alpha and its limit.

import { isEnough, logEvidence } from '../statistics/boundary.ts'
import { logShareEvidence } from '../statistics/event-share.ts'
import { priors } from '../statistics/judge.ts'
import { fourInFive } from '../statistics/normal.ts'
import type { Share } from '../statistics/risk-ratio.ts'
import { builtInMetrics, ofEvents, rareBelow } from './built-in-metrics.ts'
import { eventsForVerdict } from './judge-events.ts'
import { unitsForVerdict, unitsWithEventForVerdict } from './judge-metric.ts'
import { leastThat } from './least-that.ts'
import { usualAlpha, usuallyGuarded } from './usual-plan.ts'

export interface Settling {
  /** Both arms together. */
  people: number
  /**
   * As "worse by": the limit of the metric in the plan, but at most half the harm, because harm near the limit is
   * never decided.
   */
  limit: number
  /** The metric's share of alpha in the plan. */
  alpha: number
}

const usualWeights = builtInMetrics.reduce(
  (sum, { key, alphaWeight }) => (usuallyGuarded.has(key) ? sum + alphaWeight : sum),
  0,
)
/** A metric of weight 1 in the default plan. */
const usualPart = usualAlpha / usualWeights
/** Undefined if affected users are not more frequent inside, or if no site could wait for that many users. */
export function settleSuspect(
  { inside, outside }: { inside: Share; outside: Share },
  { alpha = usualPart, limit }: { alpha?: number; limit?: number } = {},
): Settling | undefined {
  const harmed = inside.hits / inside.total
  // Without hits among the others, half a hit bounds their rate.
  const calm = Math.max(outside.hits, 0.5) / outside.total
  if (!(harmed > calm)) return undefined
  const accepted = limit ?? Math.min(ofEvents, Math.floor(50 * (harmed / calm - 1)) / 100)
  const isSettled = (people: number) =>
    calm < rareBelow
      ? isSettledByEvents(people / 2, { harmed, calm }, { alpha, limit: accepted })
      : isSettledByShares(people / 2, { harmed, calm }, { alpha, limit: accepted })
  const people = leastThat(isSettled)
  return people === undefined ? undefined : { people, limit: accepted, alpha }
}

interface Rates {
  harmed: number
  calm: number
}
type Standard = Pick<Settling, 'alpha' | 'limit'>

/** In an assignment at the 20 % quantile: 80 % have at least this evidence by this time. */
function isSettledByEvents(perArm: number, { harmed, calm }: Rates, { alpha, limit }: Standard): boolean {
  const events = perArm * (harmed + calm)
  if (events < eventsForVerdict) return false
  const share = harmed / (harmed + calm)
  const treatment = Math.max(0, events * share - fourInFive * Math.sqrt(events * share * (1 - share)))
  const seen = { treatment, control: events - treatment, share: 1 / 2 }
  return isEnough(logShareEvidence([seen], 1 + limit, 'more'), alpha)
}

function isSettledByShares(perArm: number, { harmed, calm }: Rates, { alpha, limit }: Standard): boolean {
  if (perArm < unitsForVerdict || perArm * (harmed + calm) < unitsWithEventForVerdict) return false
  const variance = (1 - harmed) / (harmed * perArm) + (1 - calm) / (calm * perArm)
  const unlucky = Math.log(harmed / calm) - fourInFive * Math.sqrt(variance)
  const excess = unlucky - Math.log1p(limit)
  return isEnough(logEvidence({ excess, variance, prior: priors.ratio }), alpha)
}

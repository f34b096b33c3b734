// How many users a split in halves needs until its guard calls the suspected harm a regression, four times in five: by the
// boundary that the guard itself decides with, at its part of the chance of a false alarm and its limit.

import { isEnough, logEvidence } from '../statistics/boundary.ts'
import { logShareEvidence } from '../statistics/event-share.ts'
import { priors } from '../statistics/judge.ts'
import type { Share } from '../statistics/risk-ratio.ts'
import { builtInMetrics, ofEvents, rareBelow } from './built-in-metrics.ts'
import { eventsForVerdict } from './judge-events.ts'
import { unitsForVerdict, unitsWithEventForVerdict } from './judge-metric.ts'
import { usualAlpha, usuallyGuarded } from './usual-plan.ts'

export interface Settling {
  /** In both halves together. */
  people: number
  /** As "worse by": what the plan accepts of the metric. A harm near the limit is never settled, so it is half the harm at most. */
  limit: number
  /** The part of the metric in the plan's chance of a false alarm. */
  alpha: number
}

const usualWeights = builtInMetrics.reduce(
  (sum, { key, alphaWeight }) => (usuallyGuarded.has(key) ? sum + alphaWeight : sum),
  0,
)
/** Of a metric that counts once among those of the usual plan. */
const usualPart = usualAlpha / usualWeights
/** Of a normal distribution: four in five are below it. */
const fourInFive = 0.8416
const mostPeople = 1e12

/** Nothing where it does not happen to more of those inside, or nobody could wait for so many. */
export function settleSuspect(
  { inside, outside }: { inside: Share; outside: Share },
  { alpha = usualPart, limit }: { alpha?: number; limit?: number } = {},
): Settling | undefined {
  const harmed = inside.hits / inside.total
  // Where it never happened to the others, half a hit says how rarely it may.
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

/** In a draw in which four of five have more: then evidence is enough by this time, if it was not before. */
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

function leastThat(holds: (people: number) => boolean): number | undefined {
  let above = 2
  while (!holds(above)) {
    above *= 2
    if (above > mostPeople) return undefined
  }
  let below = above / 2
  while (above - below > Math.max(1, above / 1_000)) {
    const middle = (below + above) / 2
    if (holds(middle)) above = middle
    else below = middle
  }
  return Math.ceil(above)
}

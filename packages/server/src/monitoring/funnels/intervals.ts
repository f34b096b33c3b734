import type { ReplyOf } from '@telltale/core/contract/call'
import type { measureFunnel } from '@telltale/core/contract/funnels'
import { meanDifference } from '@telltale/core/statistics/mean-difference'
import type { UnitSums } from '@telltale/core/statistics/sums'
import { wilsonInterval } from '@telltale/core/statistics/wilson'

type Step = ReplyOf<typeof measureFunnel>['steps'][number]
type Difference = ReplyOf<typeof measureFunnel>['groups'][number]['steps'][number]['difference']

export const shareInterval = (hits: number, total: number): Step['ofFirst'] =>
  wilsonInterval(hits, total) ?? null

/** The probability that any of the intervals of a step ever excludes the true difference. */
const familyLevel = 0.05

interface Hits {
  hits: number
  total: number
}

/** Null with fewer than two units in an arm. `comparisons`: the variations that are compared with this control. */
export function shareDifference(control: Hits, treatment: Hits, comparisons: number): Difference {
  const arms = [{ control: sumsOf(control), treatment: sumsOf(treatment) }]
  const found = meanDifference(arms, familyLevel / Math.max(1, comparisons))
  if (found === undefined) return null
  // No difference of shares is larger.
  return { change: found.change, lower: Math.max(-1, found.lower), upper: Math.min(1, found.upper) }
}

/** A unit has a value of 0 or 1. */
function sumsOf({ hits, total }: Hits): UnitSums {
  return { units: total, n: total, y: hits, nn: total, ny: hits, yy: hits }
}

// How a metric is measured and judged: which of the three methods of the statistics, over which measures of the roll-ups.

import { limits } from '../limits.ts'

/** Of the roll-ups by unit, as the tables name them; what `eventMeasure` makes of events of the application. */
export type Measure = string

export type Method =
  /** A percentile of single values; `smallest` is what can still be told apart. */
  | { kind: 'quantile'; measure: Measure; p: number; smallest: number; unitWeight?: number }
  /** The mean of single values. */
  | { kind: 'mean'; measure: Measure; unitWeight?: number }
  /** How many for each of another measure, such as sessions; capped for each. */
  | { kind: 'count'; measure: Measure; per: Measure; cap: number; unitWeight?: number }
  /** The share of units that had at least one. */
  | { kind: 'share'; measure: Measure; of: Measure }
  /** The same for what fewer than one in ten units ever meets: exact, by who met it first where. */
  | { kind: 'rare-share'; measure: Measure; of: Measure }

/**
 * How much of the denominator one unit counts for at most in a stage; its numerator shrinks in proportion. Fixed before a
 * rollout starts: rollouts that are older than the cap get the usual one.
 */
export function unitWeightOf(method: Method): number {
  if (method.kind === 'share' || method.kind === 'rare-share') return 1
  return method.unitWeight ?? limits.guardUnitWeight
}

/** What the weight of a unit is a part of. */
export function denominatorOf(method: Method): Measure {
  switch (method.kind) {
    case 'count':
      return method.per
    case 'share':
    case 'rare-share':
      return method.of
    default:
      return method.measure
  }
}

/** What a metric needs to be judged; frozen with the plan. */
export interface JudgedMetric {
  metric: string
  method: Method
  better: 'lower' | 'higher'
  /** What is accepted, as people say it: 0.05 is "no more than 5 % worse". */
  limit: number
  /** Its part of the chance of a false alarm, against those of the others. */
  alphaWeight: number
}

// How a metric is measured and judged: which of the three methods of the statistics, over which measures of the roll-ups.

/** Of the roll-ups by unit, as the tables name them; what `eventMeasure` makes of events of the application. */
export type Measure = string

export type Method =
  /** A percentile of single values; `smallest` is what can still be told apart. */
  | { kind: 'quantile'; measure: Measure; p: number; smallest: number }
  /** The mean of single values. */
  | { kind: 'mean'; measure: Measure }
  /** How many for each of another measure, such as sessions; capped for each. */
  | { kind: 'count'; measure: Measure; per: Measure; cap: number }
  /** The share of units that had at least one. */
  | { kind: 'share'; measure: Measure; of: Measure }
  /** The same for what fewer than one in ten units ever meets: exact, by who met it first where. */
  | { kind: 'rare-share'; measure: Measure; of: Measure }

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

// How a metric is measured and judged: its statistical method, and the measures of the roll-ups.

import { limits } from '../limits.ts'
import type { HistoryRule } from '../statistics/history.ts'

/** A measure of the per-unit roll-ups, named as in the tables, or the result of `eventMeasure` for custom events. */
export type Measure = string

export type Method =
  /** A percentile of single values; smaller values than `smallest` cannot be told apart. */
  | { kind: 'quantile'; measure: Measure; p: number; smallest: number; unitWeight?: number }
  /** The mean of single values. */
  | { kind: 'mean'; measure: Measure; unitWeight?: number }
  /** How many for each of another measure, such as sessions; capped for each. */
  | { kind: 'count'; measure: Measure; per: Measure; cap: number; unitWeight?: number }
  /**
   * The total of a unit's values, or of its events, for each unit or for each of its sessions. Totals beyond the cap
   * count as the cap, below zero as well.
   */
  | {
      kind: 'total'
      measure: Measure
      sums: 'values' | 'events'
      each: 'unit' | 'session'
      of: Measure
      cap: number
      unitWeight?: number
    }
  /** The share of units that had at least one. */
  | { kind: 'share'; measure: Measure; of: Measure }
  /** The same for what fewer than one in ten units ever meets: exact, by who met it first where. */
  | { kind: 'rare-share'; measure: Measure; of: Measure }

/**
 * The maximum denominator that one unit counts for in a stage; its numerator is scaled in proportion. Fixed before a
 * rollout starts; rollouts older than the cap get the default.
 */
export function unitWeightOf(method: Method): number {
  if (isOncePerUnit(method)) return 1
  return method.unitWeight ?? limits.guardUnitWeight
}

type OncePerUnit =
  | Extract<Method, { kind: 'share' | 'rare-share' }>
  | (Extract<Method, { kind: 'total' }> & { each: 'unit' })

/** Whether the denominator of a unit is 1, whatever it did. */
export const isOncePerUnit = (method: Method): method is OncePerUnit =>
  method.kind === 'share' ||
  method.kind === 'rare-share' ||
  (method.kind === 'total' && method.each === 'unit')

export const serverSession: Measure = 'server_session'
export const serverRequest: Measure = 'server_request'

/** Whether servers send what the method counts. */
export const isOfServers = ({ measure }: Pick<Method, 'measure'>) => measure.startsWith('server_')

/** The measure that a unit's weight is a part of. */
export function denominatorOf(method: Method): Measure {
  switch (method.kind) {
    case 'count':
      return method.per
    case 'share':
    case 'rare-share':
    case 'total':
      return method.of
    default:
      return method.measure
  }
}

/** What is needed to judge a metric; frozen with the plan. */
export interface JudgedMetric {
  metric: string
  method: Method
  better: 'lower' | 'higher'
  /** The accepted harm, as displayed: 0.05 is "no more than 5 % worse". */
  limit: number
  /** Its weight in the division of alpha among the metrics. */
  alphaWeight: number
  /** Absent where the history of users does not help, or is not known. */
  history?: KnownHistory | undefined
}

/** How the history of units is taken out, and where it is kept: fixed before any unit was exposed. */
export interface KnownHistory extends HistoryRule {
  id: string
  /** The number of the metric there, from 1. */
  place: number
}

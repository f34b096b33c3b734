// Slices of users that a rollout can exclude: what telemetry knows of a user and a rule can match.

import type { MetricEvidence } from './judge-metric.ts'
import { type JudgedMetric, unitWeightOf } from './metric-method.ts'

/** One value of one attribute of the evaluation context. */
export interface Slice {
  attribute: string
  value: string
}

/** The columns of telemetry, each with the attribute of the evaluation context that has the same value. */
export const sliceAttributes = {
  browser: 'request.browser',
  device: 'request.device',
  country: 'request.country',
  version: 'version',
} as const

export type SliceColumn = keyof typeof sliceAttributes

/** With the attribute that the plan names. */
const attributesSearched = Object.keys(sliceAttributes).length + 1

export const keyOfSlice = ({ attribute, value }: Slice) => `${attribute}=${value}`

/** The inverse. The attribute ends at the first equals sign; one that has such a sign is not searched. */
export function sliceOfKey(key: string): Slice {
  const at = key.indexOf('=')
  return { attribute: key.slice(0, at), value: key.slice(at + 1) }
}

export const isSameSlice = (one: Slice, other: Slice) =>
  one.attribute === other.attribute && one.value === other.value

/** What is read of one slice, in the order of the searched metrics. */
export interface SearchedSlice {
  slice: Slice
  /** Users of both arms. */
  users: number
  inside: readonly MetricEvidence[]
  /** Of all other users. */
  outside: readonly MetricEvidence[]
}

export interface SliceSearch {
  /** Users of both arms in the split. */
  users: number
  slices: readonly SearchedSlice[]
}

/**
 * How a metric is judged within slices. Shares of users are judged by who met the event first, which is exact for few
 * users; percentiles by the share of values above the control's percentile, which needs no histogram for each slice.
 */
export function methodInSlices({ method, ...metric }: JudgedMetric): JudgedMetric {
  if (method.kind === 'share') return { ...metric, method: { ...method, kind: 'rare-share' } }
  if (method.kind === 'quantile') {
    const { measure } = method
    return { ...metric, method: { kind: 'mean', measure, unitWeight: unitWeightOf(method) } }
  }
  return { ...metric, method }
}

/** The error rate of each slice and metric, fixed by the most that can be searched: so it holds at every look. */
export function levelOfSlices(
  level: number,
  { values, metrics }: { values: number; metrics: number },
): number {
  return level / Math.max(1, attributesSearched * values * metrics)
}

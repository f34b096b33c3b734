// The built-in metrics, and how a custom metric is measured. Default limits: 5 % for values, 25 % for event rates, 5 %
// for conversions.
import { blankViewEvent } from '../telemetry/blank-view.ts'
import { eventMeasure } from './event-measure.ts'
import {
  isOncePerUnit,
  type JudgedMetric,
  type KnownHistory,
  type Method,
  serverRequest,
  serverSession,
  unitWeightOf,
} from './metric-method.ts'

export interface MetricDefinition {
  key: string
  name: string
  /** The unit of the displayed values. */
  unit: 'ms' | 'score' | 'share' | 'per-session' | 'value'
  method: Method
  better: 'lower' | 'higher'
  /** As displayed: 0.05 is "no more than 5 % worse". */
  limit: number
  /** Errors, crashes and blank pages have twice the weight: the worst harm should be found first. */
  alphaWeight: number
  /** Of a total: the percentile of recent totals at which it is capped when a rollout or an experiment starts. */
  capQuantile?: number
}

const ofValues = 0.05
export const ofEvents = 0.25
const errorsPerSession = 50
const failuresPerSession = 50
const framesPerSession = 1_000

const vital = (measure: string, name: string): MetricDefinition => ({
  key: measure.toLowerCase(),
  name,
  unit: measure === 'CLS' ? 'score' : 'ms',
  method: { kind: 'quantile', measure, p: 0.75, smallest: measure === 'CLS' ? 0.001 : 1 },
  better: 'lower',
  limit: ofValues,
  alphaWeight: 1,
})

const users = (key: string, name: string, measure: string): MetricDefinition => ({
  key,
  name,
  unit: 'share',
  method: { kind: 'share', measure, of: 'session' },
  better: 'lower',
  limit: ofEvents,
  alphaWeight: 1,
})

const each = (
  key: string,
  name: string,
  of: { measure: string; per: string; cap: number },
): MetricDefinition => ({
  key,
  name,
  unit: of.per === 'session' ? 'per-session' : 'share',
  method: { kind: 'count', ...of },
  better: 'lower',
  limit: ofEvents,
  alphaWeight: 1,
})

/** Of what servers send, with the same units: `server_session` is an exposure by a server. */
const serverDuration = (key: string, name: string, p: number): MetricDefinition => ({
  key,
  name,
  unit: 'ms',
  method: { kind: 'quantile', measure: serverRequest, p, smallest: 1 },
  better: 'lower',
  limit: ofValues,
  alphaWeight: 1,
})

export const builtInMetrics: readonly MetricDefinition[] = [
  vital('LCP', 'Largest Contentful Paint'),
  vital('INP', 'Interaction to Next Paint'),
  vital('CLS', 'Cumulative Layout Shift'),
  vital('FCP', 'First Contentful Paint'),
  vital('TTFB', 'Time to First Byte'),
  { ...users('users-with-an-error', 'Users with an error', 'error'), alphaWeight: 2 },
  { ...users('crashes', 'Users with an unhandled error', 'unhandled_error'), alphaWeight: 2 },
  each('errors-per-session', 'Errors per session', {
    measure: 'error',
    per: 'session',
    cap: errorsPerSession,
  }),
  users('users-with-a-failed-request', 'Users with a failed request', 'failed_request'),
  each('failed-requests-per-session', 'Failed requests per session', {
    measure: 'failed_request',
    per: 'session',
    cap: failuresPerSession,
  }),
  // A share of requests is misleading if the flag changes how many requests users send: never guarded by default.
  each('failed-requests', 'Failed requests, of all requests', {
    measure: 'failed_request',
    per: 'request',
    cap: 1,
  }),
  {
    ...users('blank-views', 'Users with a blank view', eventMeasure({ event: blankViewEvent, filter: '' })),
    alphaWeight: 2,
  },
  users('rage-clicks', 'Users with a rage click', 'rage_click'),
  users('dead-clicks', 'Users with a dead click', 'dead_click'),
  users('error-clicks', 'Users with a click that fails', 'error_click'),
  each('long-frames', 'Long frames per session', {
    measure: 'long_frame',
    per: 'session',
    cap: framesPerSession,
  }),
  {
    ...users('users-with-a-server-error', 'Users with a server error', 'server_error'),
    method: { kind: 'share', measure: 'server_error', of: serverSession },
    alphaWeight: 2,
  },
  serverDuration('server-requests-p75', 'Server request duration, p75', 0.75),
  serverDuration('server-requests-p95', 'Server request duration, p95', 0.95),
  // As a share of requests, like failed requests: never guarded by default.
  each('failed-server-requests', 'Server requests answered with 5xx', {
    measure: 'server_failed_request',
    per: serverRequest,
    cap: 1,
  }),
]

export type OwnAggregation =
  | 'proportion'
  | 'mean'
  | 'quantile'
  | 'count'
  | 'sum'
  | 'sum-per-session'
  | 'count-per-user'

interface OwnMetric {
  key: string
  name: string
  /** The name of a custom event of the application. */
  event: string
  /** Which of the events count, in the filter language; empty for all. */
  filter: string
  /** As in the contract. */
  aggregation: OwnAggregation
  /** The percentile of values, default 0.75; or of the totals of users, at which they are capped, default 0.99. */
  quantile: number | null
  better: 'lower' | 'higher'
  limit: number
  /** The maximum that counts per session. */
  cap: number
}

/** Values below this cannot be told apart. */
const smallestValue = 0.001
export const usualQuantile = 0.75
export const usualCapQuantile = 0.99
/** Without a cap that was fixed before the start. */
const noCap = 1e15

/** The cap of a total; undefined for other methods, and for a total without one. */
export const capOf = (method: Method) =>
  method.kind === 'total' && method.cap < noCap ? method.cap : undefined

export function ownMetric({ key, name, aggregation, better, limit, ...own }: OwnMetric): MetricDefinition {
  const measure = eventMeasure(own)
  const p = own.quantile ?? usualQuantile
  const total = { kind: 'total', measure, of: 'session', cap: noCap } as const
  const method: Record<OwnAggregation, Method> = {
    proportion: { kind: 'share', measure, of: 'session' },
    mean: { kind: 'mean', measure },
    quantile: { kind: 'quantile', measure, p, smallest: smallestValue },
    count: { kind: 'count', measure, per: 'session', cap: own.cap },
    sum: { ...total, sums: 'values', each: 'unit' },
    'sum-per-session': { ...total, sums: 'values', each: 'session' },
    'count-per-user': { ...total, sums: 'events', each: 'unit' },
  }
  return {
    key,
    name,
    unit: ownUnits[aggregation],
    method: method[aggregation],
    better,
    limit,
    alphaWeight: 1,
    ...(method[aggregation].kind === 'total' && { capQuantile: own.quantile ?? usualCapQuantile }),
  }
}

const ownUnits = {
  proportion: 'share',
  mean: 'value',
  quantile: 'value',
  count: 'per-session',
  sum: 'value',
  'sum-per-session': 'value',
  'count-per-user': 'value',
} as const

/** Below this share of units, an event is judged by the arm of its first occurrence: exact, however rare. */
export const rareBelow = 0.1

/**
 * With the cap of a unit's weight, so that a later version of the product judges a running rollout in the same way.
 */
function weighed(method: Method): Method {
  return isOncePerUnit(method) ? method : { ...method, unitWeight: unitWeightOf(method) }
}

/** What recent traffic says of a metric before the start; undefined if unknown. */
export interface BaseOfMetric {
  /** The share of units with the event. */
  rate?: number | undefined
  /** Of a total: the value of its percentile among units that have one. */
  cap?: number | undefined
  /** How the history of users is taken out; undefined where it does not help. */
  history?: KnownHistory | undefined
}

/**
 * The definition that a rollout or an experiment freezes. The current share of units with the event selects the
 * method of a share before the first look, because selecting it by the results would be another look; the same
 * holds for the cap of a total.
 */
export function freezeMetric(
  { key, method, better, alphaWeight }: Pick<MetricDefinition, 'key' | 'method' | 'better' | 'alphaWeight'>,
  { limit, base }: { limit: number; base: BaseOfMetric | undefined },
): JudgedMetric {
  return {
    metric: key,
    method: frozenMethod(method, base ?? {}),
    better,
    limit,
    alphaWeight,
    ...(base?.history && { history: base.history }),
  }
}

function frozenMethod(method: Method, { rate, cap }: BaseOfMetric): Method {
  if (method.kind === 'total') return weighed(cap !== undefined && cap > 0 ? { ...method, cap } : method)
  const isRare = method.kind === 'share' && !(rate !== undefined && rate >= rareBelow)
  return isRare ? { ...method, kind: 'rare-share' } : weighed(method)
}

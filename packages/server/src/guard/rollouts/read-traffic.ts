// Recent traffic of a site: the number of users, and the variance of each metric between users. Two statements,
// whatever the number of metrics.

import type { MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import type { Traffic } from '@telltale/core/guard/forecast-plan'
import { isOfServers, serverRequest, unitWeightOf } from '@telltale/core/guard/metric-method'
import type { MetricTraffic } from '@telltale/core/guard/propose-plan'
import { limits } from '@telltale/core/limits'
import { bucketMaximum } from '@telltale/core/statistics/buckets'
import { findQuantile, type SingleQuantile } from '@telltale/core/statistics/quantile-effect'
import { ofBrowsers, ofEveryOrigin, ofServers, sessionCount } from '../../monitoring/explore/conditions.ts'
import { ask, type Question } from '../../monitoring/explore/question.ts'
import { bucketOf } from '../../platform/engines/clickhouse/schema/unit-buckets.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { conditionsOf } from '../evidence/own-events.ts'
import { isMeasure } from '../evidence/rows-of-arms.ts'

interface SiteTraffic {
  traffic: Traffic
  /** Users for which both a browser and a server recently evaluated the flag. */
  readBy: { browser: number; server: number }
  metrics: MetricTraffic[]
}

interface ReadTrafficOptions {
  environment: { id: string; timeZone: string }
  flag: string
  definitions: readonly MetricDefinition[]
  now: Date
}

const day = 86_400_000
/** The range around a percentile in which its slope is read, as a share of values. */
const slopeReach = 0.1

export async function readTraffic(
  telemetry: Pick<Telemetry, 'read'>,
  { environment, flag, definitions, now }: ReadTrafficOptions,
): Promise<SiteTraffic> {
  const to = now.getTime()
  const question = ask(telemetry, {
    environmentId: environment.id,
    timeZone: environment.timeZone,
    from: to - limits.rolloutTrafficDays * day,
    to,
    filter: ofEveryOrigin,
  })
  const { readBy, ...traffic } = await readPeople(question, flag)
  if (traffic.inPeriod === 0) return { traffic, readBy, metrics: definitions.map(unknown) }
  const slopes = await readSlopes(question, definitions)
  const sums = await readSums(question, definitions, slopes)
  return {
    traffic,
    readBy,
    metrics: definitions.map((definition, index) => varianceOf(definition, sums[index], slopes)),
  }
}

const unknown = (definition: MetricDefinition): MetricTraffic => ({ definition, base: undefined })

interface PeopleRow {
  all: number
  reading: number
  browser: number
  server: number
  perDay: number
  days: number
}

/** While nothing reads the flag, its users are those of browsers, if there are any: servers may know them by other keys. */
async function readPeople(question: Question, flag: string): Promise<Traffic & Pick<SiteTraffic, 'readBy'>> {
  const prefix = question.bind(`${flag}=`, 'String')
  const reads = `arrayExists(x -> startsWith(x, ${prefix}), flags)`
  const [found] = await question.read<PeopleRow>(
    `SELECT toFloat64(count()) AS everyone, toFloat64(countIf(browsed > 0)) AS browsing, toFloat64(countIf(by_browser + by_server > 0)) AS reading,
      reading = 0 AND browsing > 0 AS is_narrow, if(is_narrow, browsing, everyone) AS all,
      toFloat64(countIf(by_browser > 0)) AS browser, toFloat64(countIf(by_server > 0)) AS server,
      toFloat64(if(is_narrow, sumIf(came, browsed > 0), sum(came))) / greatest(1, toFloat64(max(span))) AS perDay, toFloat64(greatest(1, max(span))) AS days
    FROM (
      SELECT user_hash, uniqExact(toDate(ts)) AS came, max(${ofBrowsers}) AS browsed,
        max(${reads} AND ${ofBrowsers}) AS by_browser, max(${reads} AND ${ofServers}) AS by_server,
        ${daysOf(question)} AS span
      FROM ${question.events('user_hash != 0')} GROUP BY user_hash)`,
  )
  const all = found?.all ?? 0
  const reading = found === undefined || found.reading === 0 ? 1 : found.reading / Math.max(1, all)
  const readBy = { browser: found?.browser ?? 0, server: found?.server ?? 0 }
  return { inPeriod: all, perDay: found?.perDay ?? 0, days: found?.days ?? 1, reading, readBy }
}

/** The number of days with data: a site that started yesterday has one, not fourteen. */
function daysOf(question: Question): string {
  return `(SELECT uniqExact(toDate(ts)) FROM ${question.events("kind IN ('view', 'session', 'exposure')")})`
}

/** By key of the metric; read like the guard's histograms. */
export type Slopes = ReadonlyMap<string, SingleQuantile & { smallest: number }>

export async function readSlopes(
  question: Question,
  definitions: readonly Pick<MetricDefinition, 'key' | 'method'>[],
): Promise<Slopes> {
  const wanted = definitions.flatMap(({ key, method }) =>
    method.kind === 'quantile' ? [{ key, method }] : [],
  )
  if (wanted.length === 0) return new Map()
  const each = wanted.map(({ method }) => {
    const bucket = bucketIn(question, method)
    return `sumMapIf([${bucket}], [toFloat64(1)], ${conditionOf(question, method.measure)})`
  })
  const [row] = await question.read<{ found: [buckets: number[], counts: number[]][] }>(
    `SELECT [${each.join(', ')}] AS found FROM ${question.events("kind IN ('vital', 'custom', 'resource')")}`,
  )
  return new Map(
    wanted.flatMap(({ key, method: { p, smallest } }, index) => {
      const histogram = new Array<number>(bucketMaximum + 1).fill(0)
      const [buckets = [], counts = []] = row?.found[index] ?? []
      for (const [place, bucket] of buckets.entries()) histogram[bucket] = counts[place] ?? 0
      const quantile = findQuantile(histogram, p, slopeReach)
      return quantile === undefined ? [] : [[key, { ...quantile, smallest }] as const]
    }),
  )
}

type QuantileMethod = Extract<MetricDefinition['method'], { kind: 'quantile' }>

const bucketIn = (question: Pick<Question, 'bind'>, { measure, smallest }: QuantileMethod) =>
  bucketOf(
    `toFloat64(${measure === serverRequest ? 'duration' : 'value'})`,
    question.bind(smallest, 'Float64'),
  )

interface Sums {
  units: number
  n: number
  y: number
  nn: number
  ny: number
  yy: number
  /** Of a total: the value at which it is capped. */
  cap: number
}

/** Per user, then over all users. */
async function readSums(
  question: Question,
  definitions: readonly MetricDefinition[],
  slopes: Slopes,
): Promise<Sums[]> {
  const columns = definitions.map((definition) => columnsOf(question, definition, slopes))
  const inner = columns.map((own, index) => {
    const most = unitWeightOf(definitions[index]?.method ?? { kind: 'mean', measure: '' })
    const { whole, n, y } = cappedBy(own, most, `whole${index}`)
    return `${whole} AS whole${index}, ${n} AS n${index}, ${y} AS y${index}`
  })
  const outer = columns.map(
    (_, index) =>
      `toFloat64(countIf(n${index} > 0)), sum(n${index}), sumIf(y${index}, n${index} > 0), sum(n${index} * n${index}), sum(n${index} * y${index}), sumIf(y${index} * y${index}, n${index} > 0), ${capOf(definitions[index], index)}`,
  )
  const [row] = await question.read<{ sums: number[] }>(
    `SELECT [${outer.join(', ')}] AS sums FROM (
      SELECT user_hash, ${inner.join(', ')} FROM ${question.events()} GROUP BY user_hash)`,
  )
  return columns.map((_, index) => {
    const [units = 0, n = 0, y = 0, nn = 0, ny = 0, yy = 0, cap = 0] =
      row?.sums.slice(index * 7, index * 7 + 7) ?? []
    return { units, n, y, nn, ny, yy, cap }
  })
}

/** Capped per user, as the guard does. `name` is that of `whole`, the denominator before. */
export function cappedBy({ n, y }: { n: string; y: string }, most: number, name: string) {
  const capped = `least(${name}, ${most})`
  return {
    whole: `toFloat64(${n})`,
    n: capped,
    y: `if(${name} > 0, toFloat64(${y}) * ${capped} / ${name}, 0.)`,
  }
}

/** The percentile of the totals of users that have one, per session if it is measured so. */
function capOf(definition: MetricDefinition | undefined, index: number): string {
  const quantile = definition?.capQuantile
  return quantile === undefined
    ? '0.'
    : `ifNotFinite(toFloat64(quantileTDigestIf(${quantile})(abs(y${index}) / n${index}, n${index} > 0 AND y${index} != 0)), 0.)`
}

/** A user's denominator and numerator, as SQL over their events. */
export function columnsOf(
  question: Pick<Question, 'bind'>,
  { method, ...metric }: Pick<MetricDefinition, 'method'> & { key?: string },
  slopes: Slopes = new Map(),
): { n: string; y: string } {
  const is = (measure: string) => conditionOf(question, measure)
  const countOf = (measure: string) =>
    `toFloat64(${measure === 'session' ? sessionCount : `countIf(${is(measure)})`})`
  switch (method.kind) {
    case 'quantile': {
      const { bucket = 0, part = 0 } = slopes.get(metric.key ?? '') ?? {}
      const [isOf, at] = [is(method.measure), bucketIn(question, method)]
      const beyond = `toFloat64(countIf(${isOf} AND ${at} > ${bucket}))`
      return { n: countOf(method.measure), y: `${beyond} + ${part} * countIf(${isOf} AND ${at} = ${bucket})` }
    }
    case 'mean':
      return { n: countOf(method.measure), y: `sumIf(toFloat64(value), ${is(method.measure)})` }
    case 'count': {
      const per = countOf(method.per)
      return {
        n: per,
        y: `least(${countOf(method.measure)}, ${question.bind(method.cap, 'Float64')} * ${per})`,
      }
    }
    case 'total': {
      const n = method.each === 'session' ? sessionCount : `countIf(${peopleOf(method)}) > 0`
      const isOf = is(method.measure)
      const total =
        method.sums === 'values' ? `sumIf(toFloat64(value), ${isOf})` : `toFloat64(countIf(${isOf}))`
      const cap = `${question.bind(method.cap, 'Float64')} * toFloat64(${n})`
      return { n, y: `greatest(least(${total}, ${cap}), -(${cap}))` }
    }
    case 'share':
    case 'rare-share':
      return { n: `countIf(${peopleOf(method)}) > 0`, y: `${countOf(method.measure)} > 0` }
  }
}

/** Events that show that a user could have had the event of a share. */
function peopleOf(method: MetricDefinition['method']): string {
  if (readEventMeasure(method.measure) !== undefined) return '1'
  return isOfServers(method) ? ofServers : ofBrowsers
}

/** The condition on the events that a measure of the roll-ups counts. */
export function conditionOf({ bind }: Pick<Question, 'bind'>, measure: string): string {
  const own = readEventMeasure(measure)
  if (own !== undefined) return `(${conditionsOf(own, bind).join(' AND ')})`
  if (measure.endsWith('_click')) return `has(frustration, ${bind(measure.slice(0, -6), 'String')})`
  switch (measure) {
    case 'error':
    case 'long_frame':
    case 'view':
      return `kind = ${bind(measure, 'String')} AND ${ofBrowsers}`
    case 'unhandled_error':
      return `kind = 'error' AND err_handled = 0 AND ${ofBrowsers}`
    case 'request':
      return `kind = 'resource' AND res_endpoint != '' AND ${ofBrowsers}`
    case 'failed_request':
      return `kind = 'resource' AND res_failed = 1 AND ${ofBrowsers}`
    case 'server_session':
    case 'server_error':
    case 'server_request':
    case 'server_failed_request':
      return isMeasure({ bind }, measure)
    default:
      return `kind = 'vital' AND name = ${bind(measure, 'String')}`
  }
}

/** A share below this is judged by the place of the first encounter. */
const rareBelow = 0.1

function varianceOf(definition: MetricDefinition, sums: Sums | undefined, slopes: Slopes): MetricTraffic {
  if (sums === undefined || sums.units < 2 || sums.n <= 0) return unknown(definition)
  const { units, n, y, nn, ny, yy } = sums
  const ratio = y / n
  const { method } = definition
  const isShare = method.kind === 'share' || method.kind === 'rare-share'
  if (isShare && ratio < rareBelow) return { definition, base: ratio, rareShare: ratio }
  const residual = Math.max(0, yy - 2 * ratio * ny + ratio * ratio * nn)
  const ofShare = (units * residual) / (n * n)
  if (method.kind === 'quantile') {
    const found = slopes.get(definition.key)
    if (found === undefined) return { definition, base: 0 }
    const base = found.smallest * Math.exp(found.log)
    if (!(found.slope > 0)) return { definition, base }
    return { definition, base, variancePerUnit: found.slope * found.slope * ofShare }
  }
  if (ratio <= 0) return { definition, base: ratio }
  const variancePerUnit = ofShare / (ratio * ratio)
  if (method.kind === 'total') return { definition, base: ratio, variancePerUnit, cap: sums.cap }
  if (method.kind !== 'count') return { definition, base: ratio, variancePerUnit }
  // A count is decided when the units' sums confirm the ratio, so the slower of both counts.
  const ofNumerator = (units * Math.max(0, yy - (y * y) / units)) / (y * y)
  return { definition, base: ratio, variancePerUnit: Math.max(variancePerUnit, ofNumerator) }
}

// What a site's own people did lately: how many they are, and how much each metric varies from one of them to the next. Two
// statements, whatever the number of metrics.

import type { MetricDefinition } from '@telltale/core/guard/built-in-metrics'
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import type { Traffic } from '@telltale/core/guard/forecast-plan'
import type { MetricTraffic } from '@telltale/core/guard/propose-plan'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/telemetry/filter'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import { conditionsOf } from '../evidence/own-events.ts'
import { ask, type Question } from '../explore/question.ts'

export interface SiteTraffic {
  traffic: Traffic
  metrics: MetricTraffic[]
}

interface Asked {
  environment: { id: string; timeZone: string }
  flag: string
  definitions: readonly MetricDefinition[]
  now: Date
}

const day = 86_400_000
/** Between these percentiles the slope of the values is read. */
const [below, above] = [0.65, 0.85]

export async function readTraffic(
  telemetry: Pick<Telemetry, 'read'>,
  { environment, flag, definitions, now }: Asked,
): Promise<SiteTraffic> {
  const to = now.getTime()
  const question = ask(telemetry, {
    environmentId: environment.id,
    timeZone: environment.timeZone,
    from: to - limits.rolloutTrafficDays * day,
    to,
    filter: emptyFilter,
  })
  const traffic = await readPeople(question, flag)
  if (traffic.inPeriod === 0) return { traffic, metrics: definitions.map(unknown) }
  const slopes = await readSlopes(question, definitions)
  const sums = await readSums(question, definitions, slopes)
  return {
    traffic,
    metrics: definitions.map((definition, index) => varianceOf(definition, sums[index], slopes)),
  }
}

const unknown = (definition: MetricDefinition): MetricTraffic => ({ definition, base: undefined })

async function readPeople(question: Question, flag: string): Promise<Traffic> {
  const prefix = question.bind(`${flag}=`, 'String')
  const [found] = await question.read<{ all: number; reading: number; perDay: number; days: number }>(
    `SELECT toFloat64(count()) AS all, toFloat64(countIf(reads > 0)) AS reading,
      toFloat64(sum(came)) / greatest(1, toFloat64(max(span))) AS perDay, toFloat64(greatest(1, max(span))) AS days
    FROM (
      SELECT user_hash, uniqExact(toDate(ts)) AS came, max(arrayExists(x -> startsWith(x, ${prefix}), flags)) AS reads,
        ${daysOf(question)} AS span
      FROM ${question.events()} GROUP BY user_hash)`,
  )
  const all = found?.all ?? 0
  const reading = found === undefined || found.reading === 0 ? 1 : found.reading / Math.max(1, all)
  return { inPeriod: all, perDay: found?.perDay ?? 0, days: found?.days ?? 1, reading }
}

/** How many days there is anything of: a site that began yesterday has one, not fourteen. */
function daysOf(question: Question): string {
  return `(SELECT uniqExact(toDate(ts)) FROM ${question.events("kind IN ('view', 'session', 'exposure')")})`
}

interface Slope {
  p75: number
  /** Of the logarithm of the values, by share. */
  slope: number
}

async function readSlopes(question: Question, definitions: readonly MetricDefinition[]) {
  const names = [
    ...new Set(definitions.flatMap(({ method }) => (method.kind === 'quantile' ? [method.measure] : []))),
  ]
  if (names.length === 0) return new Map<string, Slope>()
  const levels = [below, 0.75, above].join(', ')
  const each = names.map(
    (name) =>
      `arrayMap(x -> toFloat64(x), quantilesTDigestIf(${levels})(value, ${conditionOf(question, name)}))`,
  )
  const [row] = await question.read<{ found: number[][] }>(
    `SELECT [${each.join(', ')}] AS found FROM ${question.events("kind IN ('vital', 'custom')")}`,
  )
  return new Map(
    names.map((name, index): [string, Slope] => {
      const [low = 0, p75 = 0, high = 0] = (row?.found[index] ?? []).map((one) => one ?? 0)
      const slope = low > 0 && high > low ? Math.log(high / low) / (above - below) : 0
      return [name, { p75, slope }]
    }),
  )
}

interface Sums {
  units: number
  n: number
  y: number
  nn: number
  ny: number
  yy: number
}

/** Per person, and then over all of them. */
async function readSums(
  question: Question,
  definitions: readonly MetricDefinition[],
  slopes: ReadonlyMap<string, Slope>,
): Promise<Sums[]> {
  const columns = definitions.map(({ method }) => columnsOf(question, method, slopes))
  const inner = columns.map(({ n, y }, index) => `toFloat64(${n}) AS n${index}, toFloat64(${y}) AS y${index}`)
  const outer = columns.map(
    (_, index) =>
      `toFloat64(countIf(n${index} > 0)), sum(n${index}), sumIf(y${index}, n${index} > 0), sum(n${index} * n${index}), sum(n${index} * y${index}), sumIf(y${index} * y${index}, n${index} > 0)`,
  )
  const [row] = await question.read<{ sums: number[] }>(
    `SELECT [${outer.join(', ')}] AS sums FROM (
      SELECT user_hash, ${inner.join(', ')} FROM ${question.events()} GROUP BY user_hash)`,
  )
  return columns.map((_, index) => {
    const [units = 0, n = 0, y = 0, nn = 0, ny = 0, yy = 0] = row?.sums.slice(index * 6, index * 6 + 6) ?? []
    return { units, n, y, nn, ny, yy }
  })
}

function columnsOf(
  question: Question,
  method: MetricDefinition['method'],
  slopes: ReadonlyMap<string, Slope>,
) {
  const is = (measure: string) => conditionOf(question, measure)
  const countOf = (measure: string) =>
    `toFloat64(${measure === 'session' ? 'uniqExact(session_id)' : `countIf(${is(measure)})`})`
  switch (method.kind) {
    case 'quantile': {
      const p75 = question.bind(slopes.get(method.measure)?.p75 ?? 0, 'Float64')
      return { n: countOf(method.measure), y: `countIf(${is(method.measure)} AND value > ${p75})` }
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
    case 'share':
    case 'rare-share':
      return { n: '1', y: `${countOf(method.measure)} > 0` }
  }
}

/** Which events a measure of the roll-ups counts, as a condition on them. */
export function conditionOf({ bind }: Question, measure: string): string {
  const own = readEventMeasure(measure)
  if (own !== undefined) return `(${conditionsOf(own, bind).join(' AND ')})`
  if (measure.endsWith('_click')) return `has(frustration, ${bind(measure.slice(0, -6), 'String')})`
  switch (measure) {
    case 'error':
    case 'long_frame':
    case 'view':
      return `kind = ${bind(measure, 'String')}`
    case 'unhandled_error':
      return `kind = 'error' AND err_handled = 0`
    case 'request':
      return `kind = 'resource' AND res_endpoint != ''`
    case 'failed_request':
      return `kind = 'resource' AND res_failed = 1`
    default:
      return `kind = 'vital' AND name = ${bind(measure, 'String')}`
  }
}

/** Fewer than this share of people meet it: judged by who met it first where. */
const rareBelow = 0.1

function varianceOf(
  definition: MetricDefinition,
  sums: Sums | undefined,
  slopes: ReadonlyMap<string, Slope>,
): MetricTraffic {
  if (sums === undefined || sums.units < 2 || sums.n <= 0) return unknown(definition)
  const { units, n, y, nn, ny, yy } = sums
  const ratio = y / n
  const { method } = definition
  const isShare = method.kind === 'share' || method.kind === 'rare-share'
  if (isShare && ratio < rareBelow) return { definition, base: ratio, rareShare: ratio }
  const residual = Math.max(0, yy - 2 * ratio * ny + ratio * ratio * nn)
  const ofShare = (units * residual) / (n * n)
  if (method.kind === 'quantile') {
    const { p75, slope } = slopes.get(method.measure) ?? { p75: 0, slope: 0 }
    if (slope <= 0) return { definition, base: p75 }
    return { definition, base: p75, variancePerUnit: slope * slope * ofShare }
  }
  if (ratio <= 0) return { definition, base: ratio }
  return { definition, base: ratio, variancePerUnit: ofShare / (ratio * ratio) }
}

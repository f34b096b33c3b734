import { limits } from '@telltale/core/limits'
import type { Question } from '../explore/question.ts'
import { renderServedFilter } from '../explore/render-span-filter.ts'
import { microsecondsText, spansWithin } from '../explore/span-time.ts'
import type { Steps } from '../explore/steps.ts'

interface RateRow {
  requests: string
  failed: string
  p50: number
  p95: number
}

export interface ServiceRow extends RateRow {
  serviceName: string
  versions: string[]
  language: string
  p99: number
  spans: string
  latest: string
}

const flagsListed = 50
const variationsListed = 20
/** The beginning of the work of a service; calls that it makes itself are not. */
const isEntry = "(kind IN ('server', 'consumer') OR parent_id = '')"

const quantileOfEntries = (level: number) => `quantileTDigestIf(${level})(duration, ${isEntry})`
const rate = `toString(countIf(${isEntry})) AS requests, toString(countIf(${isEntry} AND status = 'error')) AS failed,
  ${quantileOfEntries(0.5)} AS p50, ${quantileOfEntries(0.95)} AS p95`

/** Spans of the period that match the filter: of all services, or of one. */
function spansOf(question: Question, service?: string): string {
  const { bind } = question
  return question.rowsOf(
    'spans',
    ...spansWithin(question, bind),
    ...(service === undefined ? [] : [`service = ${bind(service, 'String')}`]),
    ...renderServedFilter('spans', question.filter, bind),
  )
}

/** One more than are listed. */
export async function findServices(question: Question, service?: string): Promise<ServiceRow[]> {
  return question.read<ServiceRow>(
    `SELECT toString(service) AS serviceName, arraySort(groupUniqArrayIf(${variationsListed})(toString(version), version != '')) AS versions,
      argMax(resource['telemetry.sdk.language'], ts) AS language, ${rate}, ${quantileOfEntries(0.99)} AS p99,
      toString(count()) AS spans, ${microsecondsText('max(ts)')} AS latest
    FROM ${spansOf(question, service)} GROUP BY service
    ORDER BY countIf(${isEntry}) DESC, serviceName LIMIT ${limits.servicesPerEnvironment + 1}`,
  )
}

interface ServicePoint extends RateRow {
  at: number
  p99: number
}

export async function findServicePoints(
  question: Question,
  { service, steps }: { service: string; steps: Steps },
): Promise<ServicePoint[]> {
  return question.read<ServicePoint>(
    `SELECT ${steps.of(question, 'ts')} AS at, ${rate}, ${quantileOfEntries(0.99)} AS p99
    FROM ${spansOf(question, service)} GROUP BY at`,
  )
}

export interface OperationRow extends RateRow {
  operation: string
  spanKind: string
  total: number
}

/** One more than are listed. */
export async function findOperations(question: Question, service: string): Promise<OperationRow[]> {
  return question.read<OperationRow>(
    `SELECT toString(name) AS operation, toString(kind) AS spanKind, ${rate}, sum(duration) AS total
    FROM ${spansOf(question, service)} AND ${isEntry} GROUP BY name, kind
    ORDER BY total DESC, operation, spanKind LIMIT ${limits.operationsPerService + 1}`,
  )
}

type ServiceFlags = Map<string, { flag: string; variations: string[] }[]>

/** From spans, and from exposures that other clients of servers report. */
export async function findFlags(question: Question, service?: string): Promise<ServiceFlags> {
  const { bind } = question
  const ofService = service === undefined ? [] : [`service = ${bind(service, 'String')}`]
  const spans = question.rowsOf('spans', ...spansWithin(question, bind), ...ofService, 'notEmpty(flags)')
  const [from, to] = [question.from, question.to].map(
    (at) => `fromUnixTimestamp64Milli(${bind(at, 'Int64')})`,
  )
  const exposures = question.rowsOf(
    'events',
    "kind = 'exposure'",
    "origin = 'server'",
    `ts >= ${from}`,
    `ts < ${to}`,
    "service != ''",
    ...ofService,
  )
  const rows = await question.read<{ name: string; flag: string; variations: string[] }>(
    `SELECT name, flag, arraySort(groupUniqArray(${variationsListed})(variation)) AS variations FROM (
      SELECT name, substring(pair, 1, position(pair, '=') - 1) AS flag, substring(pair, position(pair, '=') + 1) AS variation FROM (
        SELECT DISTINCT toString(service) AS name, toString(arrayJoin(flags)) AS pair FROM ${spans}
        UNION DISTINCT SELECT DISTINCT toString(service) AS name, toString(arrayJoin(flags)) AS pair FROM ${exposures}))
    GROUP BY name, flag ORDER BY name, flag LIMIT ${flagsListed} BY name`,
  )
  const found: ServiceFlags = new Map()
  for (const { name, flag, variations } of rows) {
    found.set(name, [...(found.get(name) ?? []), { flag, variations }])
  }
  return found
}

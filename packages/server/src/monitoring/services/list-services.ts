import type { ReplyOf } from '@telltale/core/contract/call'
import type { listServices as listServicesCall } from '@telltale/core/contract/services'
import { limits } from '@telltale/core/limits'
import { periodOf } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { renderServedFilter } from '../explore/render-span-filter.ts'
import { instantOfMicroseconds, microsecondsText, spansWithin } from '../explore/span-time.ts'

interface ServiceRow {
  name: string
  versions: string[]
  language: string
  requests: string
  failed: string
  p50: number
  p95: number
  total: string
  latest: string
}

const minute = 60_000
const flagsListed = 50
const variationsListed = 20
/** The beginning of the work of a service; calls that it makes itself are not. */
const isEntry = "(kind IN ('server', 'consumer') OR parent_id = '')"

export async function listServices(question: Question): Promise<ReplyOf<typeof listServicesCall>> {
  const [rows, flags] = await Promise.all([findServices(question), findFlags(question)])
  const shown = rows.slice(0, limits.servicesPerEnvironment)
  const minutes = (question.to - question.from) / minute
  return {
    ...periodOf(question),
    services: shown.map((row) => {
      const [requests, failed] = [Number(row.requests), Number(row.failed)]
      const isEnough = requests >= limits.percentileMinimum
      return {
        service: row.name,
        versions: row.versions,
        language: row.language,
        requests,
        perMinute: requests / minutes,
        failed,
        failedShare: requests === 0 ? null : failed / requests,
        p50: isEnough ? row.p50 : null,
        p95: isEnough ? row.p95 : null,
        spans: Number(row.total),
        lastSeenAt: instantOfMicroseconds(row.latest),
        flags: flags.get(row.name) ?? [],
      }
    }),
    more: rows.length > shown.length,
  }
}

async function findServices(question: Question): Promise<ServiceRow[]> {
  const { bind } = question
  const rows = question.rowsOf(
    'spans',
    ...spansWithin(question, bind),
    ...renderServedFilter('spans', question.filter, bind),
  )
  return question.read<ServiceRow>(
    `SELECT toString(service) AS name, arraySort(groupUniqArrayIf(${variationsListed})(toString(version), version != '')) AS versions,
      argMax(resource['telemetry.sdk.language'], ts) AS language,
      toString(countIf(${isEntry})) AS requests, toString(countIf(${isEntry} AND status = 'error')) AS failed,
      quantileTDigestIf(0.5)(duration, ${isEntry}) AS p50, quantileTDigestIf(0.95)(duration, ${isEntry}) AS p95,
      toString(count()) AS total, ${microsecondsText('max(ts)')} AS latest
    FROM ${rows} GROUP BY service ORDER BY countIf(${isEntry}) DESC, name LIMIT ${limits.servicesPerEnvironment + 1}`,
  )
}

type ServiceFlags = ReplyOf<typeof listServicesCall>['services'][number]['flags']

/** From spans, and from exposures that other clients of servers report. */
async function findFlags(question: Question): Promise<Map<string, ServiceFlags>> {
  const { bind } = question
  const spans = question.rowsOf('spans', ...spansWithin(question, bind), 'notEmpty(flags)')
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
  )
  const rows = await question.read<{ name: string; flag: string; variations: string[] }>(
    `SELECT name, flag, arraySort(groupUniqArray(${variationsListed})(variation)) AS variations FROM (
      SELECT name, substring(pair, 1, position(pair, '=') - 1) AS flag, substring(pair, position(pair, '=') + 1) AS variation FROM (
        SELECT DISTINCT toString(service) AS name, toString(arrayJoin(flags)) AS pair FROM ${spans}
        UNION DISTINCT SELECT DISTINCT toString(service) AS name, toString(arrayJoin(flags)) AS pair FROM ${exposures}))
    GROUP BY name, flag ORDER BY name, flag LIMIT ${flagsListed} BY name`,
  )
  const found = new Map<string, ServiceFlags>()
  for (const { name, flag, variations } of rows) {
    found.set(name, [...(found.get(name) ?? []), { flag, variations }])
  }
  return found
}

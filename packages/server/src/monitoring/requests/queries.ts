import type { FieldRef } from '@telltale/core/query/filter'
import { sessionCount } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import { renderGroup } from '../explore/render-filter.ts'
import { sampleOf } from '../explore/sample.ts'
import type { Steps } from '../explore/steps.ts'
import { percentile, percentiles, rounded } from '../explore/vitals.ts'

export interface Measured {
  count: number
  failed: number
  p50: number | null
  p75: number | null
  p95: number | null
  bytes: number | null
  total: number
  sessions: string
}

/** 1 if the request is to the site of the page. */
interface Party {
  own: number
}

export interface RequestGroup {
  method: string
  host: string
  endpoint: string
}

export type RequestRow = RequestGroup & Measured & Party & { slowestPage: string; sorted: number }

/** Resources with a template are requests of the application. */
const isRequest = ["kind = 'resource'", "res_endpoint != ''"]
const durations = percentiles([0.5, 0.75, 0.95], 'duration')
  .map((percentile, place) => `${percentile} AS ${['p50', 'p75', 'p95'][place]}`)
  .join(', ')
const measuredOf = (
  question: Question,
) => `sum(weight) AS count, sumIf(weight, res_failed = 1) AS failed, ${durations},
  if(countIf(res_size > 0) = 0, NULL, round(sumIf(res_size * weight, res_size > 0) / sumIf(weight, res_size > 0))) AS bytes,
  ${rounded('sum(duration * weight)')} AS total, ${sessionCount} * ${sampleOf(question)} AS sessions`
/** Compared with the page of the latest request: the same host, or the same registered domain. */
const party = `argMax(url, ts) AS lastUrl, concat('http://', any(res_host)) AS hostUrl,
  domain(hostUrl) = domain(lastUrl) OR (cutToFirstSignificantSubdomain(hostUrl) != ''
    AND cutToFirstSignificantSubdomain(hostUrl) = cutToFirstSignificantSubdomain(lastUrl)) AS own`

const orders: Readonly<Record<string, string>> = {
  count: 'toFloat64(count)',
  failed: 'toFloat64(failed)',
  failedShare: rounded('failed / count'),
  p50: 'ifNull(p50, -1)',
  p75: 'ifNull(p75, -1)',
  p95: 'ifNull(p95, -1)',
  total: 'total',
  meanBytes: 'ifNull(bytes, -1)',
}

/** The requests that the list counts. */
export const listed = ({ bind }: Question, search: string | undefined) => [
  ...isRequest,
  ...(search === undefined
    ? []
    : [`positionCaseInsensitiveUTF8(concat(res_host, res_endpoint), ${bind(search, 'String')}) > 0`]),
]

export async function findRequests(
  question: Question,
  {
    sort,
    search,
    party: wanted,
    after,
    count,
  }: {
    sort: string
    search: string | undefined
    party: 'own' | 'third' | undefined
    after: (RequestGroup & { sorted: number }) | undefined
    count: number
  },
): Promise<RequestRow[]> {
  const { bind } = question
  const later = after && {
    sorted: bind(after.sorted, 'Float64'),
    group: `(${[after.endpoint, after.method, after.host].map((text) => bind(text, 'String')).join(', ')})`,
  }
  const having = [
    wanted === undefined ? [] : [`own = ${wanted === 'own' ? 1 : 0}`],
    later === undefined
      ? []
      : [
          `(sorted < ${later.sorted} OR (sorted = ${later.sorted} AND (endpoint, method, host) > ${later.group}))`,
        ],
  ].flat()
  return question.read<RequestRow>(
    `SELECT toString(res_method) AS method, toString(res_host) AS host, toString(res_endpoint) AS endpoint, ${measuredOf(question)},
      ${party}, toString(argMax(page, duration)) AS slowestPage, ${orders[sort] ?? orders.count} AS sorted
    FROM ${question.events(...listed(question, search))}
    GROUP BY res_method, res_host, res_endpoint ${having.length > 0 ? `HAVING ${having.join(' AND ')}` : ''}
    ORDER BY sorted DESC, endpoint, method, host LIMIT ${bind(count, 'UInt32')}`,
  )
}

/** The conditions of one kind of request. */
export const ofGroup = ({ bind }: Question, { method, host, endpoint }: RequestGroup) => [
  ...isRequest,
  `res_method = ${bind(method, 'String')}`,
  `res_host = ${bind(host, 'String')}`,
  `res_endpoint = ${bind(endpoint, 'String')}`,
]

const none: Measured & Party = {
  count: 0,
  failed: 0,
  p50: null,
  p75: null,
  p95: null,
  bytes: null,
  total: 0,
  sessions: '0',
  own: 0,
}

export async function findRequest(question: Question, group: RequestGroup): Promise<Measured & Party> {
  const [row] = await question.read<Measured & Party>(
    `SELECT ${measuredOf(question)}, ${party} FROM ${question.events(...ofGroup(question, group))}`,
  )
  return row ?? none
}

interface RequestPoint {
  at: number
  count: number
  failed: number
  p50: number | null
  p75: number | null
  p95: number | null
}

export async function findRequestPoints(
  question: Question,
  { group, steps }: { group: RequestGroup; steps: Steps },
): Promise<RequestPoint[]> {
  return question.read<RequestPoint>(
    `SELECT ${steps.of(question, 'ts')} AS at, sum(weight) AS count, sumIf(weight, res_failed = 1) AS failed,
      ${durations}
    FROM ${question.events(...ofGroup(question, group))} GROUP BY at`,
  )
}

export async function findStatuses(
  question: Question,
  group: RequestGroup,
): Promise<{ status: number; count: number }[]> {
  return question.read(
    `SELECT res_status AS status, sum(weight) AS count FROM ${question.events(...ofGroup(question, group))}
    GROUP BY status ORDER BY count DESC, status LIMIT 50`,
  )
}

export async function findRequestPages(
  question: Question,
  group: RequestGroup,
): Promise<{ page: string; count: number; failed: number; p75: number | null }[]> {
  return question.read(
    `SELECT toString(page) AS page, sum(weight) AS count, sumIf(weight, res_failed = 1) AS failed, ${percentile(0.75, 'duration')} AS p75
    FROM ${question.events(...ofGroup(question, group))} GROUP BY page ORDER BY count DESC, page LIMIT 20`,
  )
}

export async function findRequestBreakdown(
  question: Question,
  { group, by }: { group: RequestGroup; by: FieldRef },
): Promise<(Measured & { slice: string })[]> {
  return question.read(
    `SELECT toString(${renderGroup(by, question)}) AS slice, ${measuredOf(question)}
    FROM ${question.groupable([by], question.events(...ofGroup(question, group)))} GROUP BY slice ORDER BY count DESC, slice LIMIT 20`,
  )
}

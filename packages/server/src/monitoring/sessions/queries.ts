import type { SessionSort } from '@telltale/core/contract/sessions'
import { limits } from '@telltale/core/limits'
import type { FieldRef } from '@telltale/core/query/filter'
import { vitalBoundaries } from '@telltale/core/telemetry/vitals'
import { renderAttached } from '../explore/attached.ts'
import { variationOf } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import { sessionRows } from '../explore/session-rows.ts'
import type { Steps } from '../explore/steps.ts'
import { rounded } from '../explore/vitals.ts'
import { type Attached, findAttached } from './attached-queries.ts'

type StoredSession = Omit<SessionRow, 'attached'>

export interface SessionRow {
  session_id: string
  started_at: string
  ended_at: string
  user_key: string
  user_keys: string[]
  anonymous_ids: string[]
  source: string
  version: string
  versions: string[]
  country: string
  browser: string
  os: string
  device: string
  entry_page: string
  exit_page: string
  events: string
  views: string
  actions: string
  requests: string
  failed: string
  errors: string
  unhandled: string
  rage: string
  dead: string
  error_click: string
  trouble: string
  lcp: number | null
  inp: number | null
  cls: number | null
  has_replay: number
  bot: number
  flags: string[]
  /** Undefined if it has only events. */
  attached: Attached | undefined
}

const columns = `session_id, toString(toUnixTimestamp64Milli(started)) AS started_at, toString(toUnixTimestamp64Milli(ended)) AS ended_at,
  user_key, arraySort(user_keys) AS user_keys, arraySort(anonymous_ids) AS anonymous_ids, toString(source) AS source, version, arraySort(versions) AS versions,
  country, browser, os, device, entry_page, exit_page, events, views, actions, requests, failed, errors, unhandled, rage, dead,
  error_click, trouble, ${rounded('lcp_worst')} AS lcp, ${rounded('inp_worst')} AS inp, ${rounded('cls_worst')} AS cls, has_replay,
  bot, arraySort(flags) AS flags`

/** By what a list is sorted, before the time; sessions without a value are last. */
const sortedBy = {
  newest: '0',
  trouble: 'toFloat64(trouble)',
  errors: 'toFloat64(errors)',
  length: 'toFloat64(length)',
  lcp: 'toFloat64(ifNull(lcp_worst, -1))',
  inp: 'toFloat64(ifNull(inp_worst, -1))',
} as const satisfies Record<SessionSort, string>

/** The end of a page of the list. */
export interface SessionMark {
  sorted: number
  startedAt: number
  id: string
}

export async function findSessions(
  question: Question,
  {
    sort,
    conditions,
    after,
    count,
  }: {
    sort: SessionSort
    conditions: readonly string[]
    after: SessionMark | undefined
    count: number
  },
): Promise<(SessionRow & { sorted: number })[]> {
  const { bind } = question
  const order = [...(sort === 'newest' ? [] : [sortedBy[sort]]), 'started', 'session_id']
  const mark = after && [
    ...(sort === 'newest' ? [] : [bind(after.sorted, 'Float64')]),
    `fromUnixTimestamp64Milli(${bind(after.startedAt, 'Int64')})`,
    bind(after.id, 'UUID'),
  ]
  const later = mark && [`(${order.join(', ')}) < (${mark.join(', ')})`]
  const ordered = order.map((column) => `${column} DESC`).join(', ')
  // Ids first, then all columns of those sessions: most columns of most sessions are never read.
  const ids = `SELECT session_id FROM ${question.sessions(...conditions, ...(later ?? []))} ORDER BY ${ordered} LIMIT ${bind(count, 'UInt32')}`
  const rows = sessionRows(question, bind, `s.session_id GLOBAL IN (${ids})`)
  const found = await question.read<StoredSession & { sorted: number }>(
    `SELECT ${columns}, ${sortedBy[sort]} AS sorted FROM (${question.withRoutes(rows)}) ORDER BY ${ordered}`,
  )
  return withAttached(question, found)
}

async function withAttached<Row extends StoredSession>(
  question: Question,
  rows: readonly Row[],
): Promise<(Row & Pick<SessionRow, 'attached'>)[]> {
  const attached = await findAttached(
    question,
    rows.map(({ session_id: id }) => id),
  )
  return rows.map((row) => ({ ...row, attached: attached.get(row.session_id) }))
}

/** Regardless of the period. */
export async function findSessionsById(question: Question, ids: readonly string[]): Promise<SessionRow[]> {
  if (ids.length === 0) return []
  const { bind } = question
  const chosen = `s.session_id IN (${ids.map((id) => bind(id, 'UUID')).join(', ')})`
  const rows = sessionRows({ from: 0, to: lastInstant }, bind, chosen)
  const found = await question.read<StoredSession>(`SELECT ${columns} FROM (${question.withRoutes(rows)})`)
  return withAttached(question, found)
}

/** Regardless of the period. */
export async function findSession(question: Question, id: string): Promise<SessionRow | undefined> {
  const { bind } = question
  const rows = sessionRows({ from: 0, to: lastInstant }, bind, `s.session_id = ${bind(id, 'UUID')}`)
  const found = await question.read<StoredSession>(`SELECT ${columns} FROM (${question.withRoutes(rows)})`)
  const [row] = await withAttached(question, found)
  return row
}

/** The last day that a Date column can store, minus one. */
const lastInstant = Date.UTC(2099, 0, 1)

interface SessionCount {
  sessions: number
  with_errors: number
}

export async function countSessions(
  question: Question,
  conditions: readonly string[],
): Promise<SessionCount> {
  const [row] = await question.read<SessionCount>(
    `SELECT sum(weight) AS sessions, sumIf(weight, errors > 0) AS with_errors FROM ${question.sessions(...conditions)}`,
  )
  return row ?? { sessions: 0, with_errors: 0 }
}

export async function findSessionSeries(
  question: Question,
  { conditions, steps }: { conditions: readonly string[]; steps: Steps },
): Promise<(SessionCount & { at: number })[]> {
  return question.read(
    `SELECT ${steps.of(question, 'started')} AS at, sum(weight) AS sessions, sumIf(weight, errors > 0) AS with_errors
    FROM ${question.sessions(...conditions)} GROUP BY at`,
  )
}

export interface FacetRow {
  field: string
  value: string
  count: number
  distinct: string
}

/** Several fields in one read of the sessions. */
export async function findSessionFacets(
  question: Question,
  {
    fields,
    conditions,
    search,
    top,
  }: {
    fields: readonly { name: string; ref: FieldRef }[]
    conditions: readonly string[]
    search: string | undefined
    top: number
  },
): Promise<FacetRow[]> {
  const { bind } = question
  const pairs = fields.map(
    ({ name, ref }) => `arrayMap(x -> (${bind(name, 'String')}, x), ${valuesOf(ref, question)})`,
  )
  const found =
    search === undefined
      ? "value != ''"
      : `value != '' AND positionCaseInsensitiveUTF8(value, ${bind(search, 'String')}) > 0`
  return question.read<FacetRow>(
    `SELECT field, value, count, count() OVER (PARTITION BY field) AS distinct
    FROM (SELECT tupleElement(pair, 1) AS field, tupleElement(pair, 2) AS value, sum(weight) AS count
      FROM (SELECT weight, arrayJoin(arrayConcat(${pairs.join(', ')})) AS pair FROM ${question.sessions(...conditions)})
      GROUP BY field, value)
    WHERE ${found} ORDER BY count DESC, value LIMIT ${bind(top, 'UInt32')} BY field`,
  )
}

const rated = (column: string, name: 'LCP' | 'INP' | 'CLS') => {
  const [good, poor] = vitalBoundaries[name]
  return `[multiIf(isNull(${column}), '', ${column} <= toFloat32(${good}), 'good', ${column} <= toFloat32(${poor}), 'needs-improvement', 'poor')]`
}
const someOf = (column: string) => `[if(${column} > 0, 'some', 'none')]`

const facets: Readonly<Record<string, string>> = {
  browser: '[toString(browser)]',
  os: '[toString(os)]',
  device: '[toString(device)]',
  country: '[toString(country)]',
  source: '[toString(source)]',
  version: 'versions',
  user: "[if(user_key != '', user_key, arrayElement(anonymous_ids, 1))]",
  'entry-page': '[entry_page]',
  'exit-page': '[exit_page]',
  flag: 'flags',
  /** Converted to issues by `valuesOf`. */
  issue: 'err_groups',
  frustration:
    "arrayFilter(x -> x != '', [if(rage > 0, 'rage', ''), if(dead > 0, 'dead', ''), if(error_click > 0, 'error', '')])",
  replay: "[if(has_replay = 1, 'true', 'false')]",
  bot: "[if(bot = 1, 'true', 'false')]",
  lcp: rated('lcp_worst', 'LCP'),
  inp: rated('inp_worst', 'INP'),
  cls: rated('cls_worst', 'CLS'),
  errors: someOf('errors'),
  'unhandled-errors': someOf('unhandled'),
  'failed-requests': someOf('failed'),
  trouble: someOf('trouble'),
}

/** Read from the attachments of sessions by `valuesOf`. */
const attachedFacets: readonly string[] = ['kept', 'profile']

export const isSessionFacet = ({ field }: FieldRef) =>
  Object.hasOwn(facets, field) || attachedFacets.includes(field)

function valuesOf(ref: FieldRef, question: Question): string {
  const { bind, issueOf } = question
  const beside = renderAttached(ref.field, question, bind)
  if (beside !== undefined) return `[if(${beside}, 'true', 'false')]`
  if (ref.field === 'issue') return `arrayDistinct(arrayMap(g -> toString(${issueOf('g')}), err_groups))`
  if (ref.field === 'flag' && ref.key !== '') return `[${variationOf('flags', ref.key, bind)}]`
  return facets[ref.field] ?? '[]'
}

export interface SessionViewRow {
  view_id: string
  page: string
  url: string
  started_at: string
  duration: number
  active: number
  exit: string
  lcp: number | null
  inp: number | null
  cls: number | null
  fcp: number | null
  ttfb: number | null
  actions: number
  resources: number
  errors: number
  long_frames: number
  frustrations: number
}

export async function findSessionViews(question: Question, id: string): Promise<SessionViewRow[]> {
  const vitals = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'].map((name) => `${rounded(`v.${name}`)} AS ${name}`)
  return question.read<SessionViewRow>(
    `SELECT v.view_id AS view_id, toString(v.page) AS page, v.url AS url, toString(toUnixTimestamp64Milli(v.started)) AS started_at,
      v.duration AS duration, v.active AS active, toString(v.exit) AS exit, ${vitals.join(', ')}, v.actions AS actions,
      v.resources AS resources, v.errors AS errors, v.long_frames AS long_frames, v.frustrations AS frustrations
    FROM (SELECT * FROM ${question.rowsOf('views', `session_id = ${question.bind(id, 'UUID')}`)}) AS v
    ORDER BY v.started, v.view_id LIMIT ${limits.sessionViewsListed}`,
  )
}

export interface FlagReadRow {
  at: string
  flags: string[]
}

/** Where a tab's evaluated flags changed. */
export async function findFlagReads(question: Question, id: string): Promise<FlagReadRow[]> {
  const rows = question.rowsOf('events', `session_id = ${question.bind(id, 'UUID')}`)
  return question.read<FlagReadRow>(
    `SELECT toString(toUnixTimestamp64Milli(ts)) AS at, flags
    FROM (SELECT ts, event_id, flags, lagInFrame(flags) OVER (PARTITION BY tab_id ORDER BY ts, event_id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before
      FROM ${rows})
    WHERE flags != before ORDER BY ts, event_id LIMIT ${limits.flagChangesOfSession}`,
  )
}

export interface ExposureRow {
  flag: string
  variation: string
  split: string
  epoch: number
}

export async function findExposures(question: Question, id: string): Promise<ExposureRow[]> {
  const rows = question.rowsOf(
    'events',
    "kind = 'exposure'",
    'notEmpty(arms)',
    `session_id = ${question.bind(id, 'UUID')}`,
  )
  return question.read<ExposureRow>(
    `SELECT toString(name) AS flag, toString(arms[1].3) AS variation, toString(arms[1].1) AS split, arms[1].2 AS epoch
    FROM ${rows} ORDER BY ts LIMIT ${limits.flagChangesOfSession}`,
  )
}

// Sessions by version come from the roll-up of sessions; which of them crashed while they ran a version, from the
// errors alone, which the table of events keeps together.

import { limits } from '@telltale/core/limits'
import { ofBrowsers } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import type { Steps } from '../explore/steps.ts'
import { type VitalsRow, vitalColumns } from '../explore/vitals.ts'

/** Sessions of the period with one row for each of their versions. */
export function versionedSessions(question: Question): string {
  return `(SELECT session_id, user_hash, weight, started, country, arrayJoin(versions) AS release,
    (session_id, release) GLOBAL IN (${crashes(question)}) AS crashed
  FROM ${question.sessions('notEmpty(versions)')})`
}

/** Sessions and versions with an uncaught error. */
function crashes(question: Question): string {
  const { bind, from, to } = question
  const at = (instant: number) => `fromUnixTimestamp64Milli(${bind(instant, 'Int64')})`
  const rows = question.rowsOf(
    'events',
    "kind = 'error'",
    'err_handled = 0',
    ofBrowsers,
    `ts >= ${at(from)}`,
    `ts < ${at(to + limits.monitoredSessionMaximum)}`,
  )
  return `SELECT session_id, toString(version) FROM ${rows}`
}

/**
 * First and last use of each version, as far back as sessions are kept. A session with two versions began with the
 * older one, so that it counts only for a version without other sessions.
 */
const seenVersions = (question: Question) => `(SELECT arrayJoin(versions) AS release,
    ifNull(minOrNullIf(started, length(versions) = 1), min(started)) AS first_at,
    ifNull(maxOrNullIf(ended, length(versions) = 1), max(ended)) AS last_at
  FROM ${question.rowsOf('sessions', 'notEmpty(versions)')} GROUP BY release)`

const measured = `sum(weight) AS sessions, uniqExact(user_hash) AS users,
  sumIf(weight, crashed) AS crashed_sessions, uniqExactIf(user_hash, crashed) AS crashed_users`

export interface ReleaseRow {
  version: string
  /** Milliseconds since 1970. */
  first: string
  last: string
  sessions: number
  users: string
  crashed_sessions: number
  crashed_users: string
  sorted: number
}

const orders = {
  'first-seen': 'toFloat64(toUnixTimestamp64Milli(seen.first_at))',
  sessions: 'toFloat64(used.sessions)',
  users: 'toFloat64(used.users)',
  crashes: 'round(used.crashed_sessions / used.sessions, 9)',
} as const

export type ReleaseOrder = keyof typeof orders

interface FindReleases {
  sort: ReleaseOrder
  search: string | undefined
  after: { sorted: number; version: string } | undefined
  count: number
}

const columns = `seen.release AS version, toString(toUnixTimestamp64Milli(seen.first_at)) AS first,
  toString(toUnixTimestamp64Milli(seen.last_at)) AS last, used.sessions AS sessions, toString(used.users) AS users,
  used.crashed_sessions AS crashed_sessions, toString(used.crashed_users) AS crashed_users`

/** Versions that were used in the period. */
export async function findReleases(
  question: Question,
  { sort, search, after, count }: FindReleases,
): Promise<ReleaseRow[]> {
  const { bind } = question
  const conditions = [
    search === undefined ? [] : [`positionCaseInsensitiveUTF8(version, ${bind(search, 'String')}) > 0`],
    after === undefined ? [] : [isAfter(after, question)],
  ].flat()
  return question.read<ReleaseRow>(
    `SELECT ${columns}, ${orders[sort]} AS sorted
    FROM (SELECT release, ${measured} FROM ${versionedSessions(question)} GROUP BY release) AS used
    INNER JOIN ${seenVersions(question)} AS seen ON seen.release = used.release
    WHERE ${['1', ...conditions].join(' AND ')} ORDER BY sorted DESC, version LIMIT ${bind(count, 'UInt32')}`,
  )
}

function isAfter({ sorted, version }: { sorted: number; version: string }, { bind }: Question): string {
  const [mark, name] = [bind(sorted, 'Float64'), bind(version, 'String')]
  return `(sorted < ${mark} OR (sorted = ${mark} AND version > ${name}))`
}

/** One version, with zeros if it was not used in the period; undefined if it was never seen. */
export async function findRelease(question: Question, version: string): Promise<ReleaseRow | undefined> {
  const name = question.bind(version, 'String')
  const [row] = await question.read<ReleaseRow>(
    `SELECT ${columns}, 0. AS sorted
    FROM (SELECT * FROM ${seenVersions(question)} WHERE release = ${name}) AS seen
    LEFT JOIN (SELECT release, ${measured} FROM ${versionedSessions(question)} WHERE release = ${name} GROUP BY release) AS used
    ON used.release = seen.release`,
  )
  return row
}

/** The version first seen just before that moment. */
export async function findPrevious(
  question: Question,
  { version, first }: { version: string; first: number },
): Promise<string | undefined> {
  const { bind } = question
  const at = `fromUnixTimestamp64Milli(${bind(first, 'Int64')})`
  const [row] = await question.read<{ version: string }>(
    `SELECT release AS version FROM ${seenVersions(question)}
    WHERE release != ${bind(version, 'String')} AND first_at <= ${at} ORDER BY first_at DESC, release LIMIT 1`,
  )
  return row?.version
}

export async function countVersioned(question: Question): Promise<number> {
  const [row] = await question.read<{ sessions: number }>(
    `SELECT sum(weight) AS sessions FROM ${question.sessions('notEmpty(versions)')}`,
  )
  return row?.sessions ?? 0
}

export interface ReleasePoint {
  at: number
  sessions: number
  crashed: number
  all: number
}

/** Over time, beside the sessions of all versions. */
export async function findReleasePoints(
  question: Question,
  { version, steps }: { version: string; steps: Steps },
): Promise<ReleasePoint[]> {
  const name = question.bind(version, 'String')
  return question.read<ReleasePoint>(
    `SELECT ${steps.of(question, 'started')} AS at, sumIf(weight, has(of_session, ${name})) AS sessions,
      sumIf(weight, (session_id, ${name}) GLOBAL IN (${crashes(question)})) AS crashed, sum(weight) AS all
    FROM (SELECT session_id, started, weight, versions AS of_session FROM ${question.sessions('notEmpty(versions)')})
    GROUP BY at`,
  )
}

/** The most used versions. */
export async function findLargest(question: Question): Promise<string[]> {
  const rows = await question.read<{ version: string }>(
    `SELECT release AS version, sum(weight) AS sessions
    FROM (SELECT weight, arrayJoin(versions) AS release FROM ${question.sessions('notEmpty(versions)')})
    GROUP BY version ORDER BY sessions DESC, version LIMIT ${limits.releasesCharted}`,
  )
  return rows.map(({ version }) => version)
}

/** Sessions of each of these versions over time. */
export async function findAdoption(
  question: Question,
  { versions, steps }: { versions: readonly string[]; steps: Steps },
): Promise<{ at: number; all: number; sessions: number[] }[]> {
  const names = question.bind(versions, 'Array(String)')
  return question.read(
    `SELECT ${steps.of(question, 'started')} AS at, sum(weight) AS all,
      sumForEach(arrayMap(name -> if(has(of_session, name), weight, 0), ${names})) AS sessions
    FROM (SELECT started, weight, versions AS of_session FROM ${question.sessions('notEmpty(versions)')}) GROUP BY at`,
  )
}

export async function findVitalsOf(question: Question, version: string): Promise<VitalsRow[]> {
  return question.read<VitalsRow>(
    `SELECT ${vitalColumns(question)} FROM ${question.events("kind = 'vital'", `version = ${question.bind(version, 'String')}`)}
    GROUP BY name`,
  )
}

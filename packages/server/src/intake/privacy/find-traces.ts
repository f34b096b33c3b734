// The data of a user in the telemetry store: the sessions, and every ID and unit that identified the user.

import { unitHash } from '@telltale/core/telemetry/unit-hash'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { ErasedSubject } from '../../platform/engines/postgres/privacy-schema.ts'
import { rowsOf } from '../retention/find-past.ts'
import { listsOf, noSession, numberLiteral, textLiteral, uuidLiteral } from '../retention/id-lists.ts'

export interface Traces extends ErasedSubject {
  /** In a stable order. */
  sessions: string[]
  /** Events outside any session. */
  events: string[]
  /** Hashes, as 64-bit numbers. */
  units: string[]
  /** IDs of traces in which a span or a log record names the user or one of the sessions. */
  traceIds: string[]
  /** Log records outside any trace. */
  logs: string[]
  /** There is more than one pass processes. */
  isPart: boolean
}

interface SessionTrace {
  session: string
  keys: string[]
  anonymousIds: string[]
}

type Reader = Pick<Telemetry, 'read'>

/** The limit per user and pass; what exceeds it is found in the next pass. */
const foundAtOnce = 20_000

export async function findTraces(
  telemetry: Reader,
  environmentId: string,
  subject: ErasedSubject,
): Promise<Traces> {
  const rows = rowsOf(environmentId)
  const first = await findSessions(telemetry, rows, subject)
  const known = merge(subject, first)
  // Browsers of this user may have been used before anyone signed in there.
  const hasMore = known.anonymousIds.length > subject.anonymousIds.length
  const sessions = hasMore ? await findSessions(telemetry, rows, known) : first
  const { targetingKeys, anonymousIds } = hasMore ? merge(known, sessions) : known
  const hashOf = (attribute: string) => (value: string) =>
    unitHash({ environment: environmentId, attribute, value })
  const units = distinct([
    ...targetingKeys.map(hashOf('targetingKey')),
    ...anonymousIds.map(hashOf('targetingKey')),
    ...anonymousIds.map(hashOf('anonymousId')),
  ])
  const kept = await findKept(telemetry, rows, units)
  const events = await findEventsAlone(telemetry, rows, { targetingKeys, anonymousIds })
  const allSessions = distinct([...sessions.map(({ session }) => session), ...kept]).sort()
  const served = await findServed(telemetry, rows, { keys: [...targetingKeys, ...anonymousIds], allSessions })
  return {
    targetingKeys,
    anonymousIds,
    sessions: allSessions,
    events,
    units,
    ...served,
    isPart: [sessions, kept, events, served.traceIds, served.logs].some(
      ({ length }) => length >= foundAtOnce,
    ),
  }
}

/**
 * With a user key, a session in which only other users were signed in belongs to them: browsers are shared. Sessions
 * outlive their events, and events may be stored before their session.
 */
async function findSessions(
  telemetry: Reader,
  rows: string,
  { targetingKeys, anonymousIds }: ErasedSubject,
): Promise<SessionTrace[]> {
  const own = targetingKeys.map(textLiteral).join(', ')
  const ofOthers = own === '' ? '' : `HAVING empty(keys) OR hasAny(keys, [${own}])`
  const found = new Map<string, SessionTrace>()
  for (const { ofEvent, ofSession } of conditionsOf({ targetingKeys, anonymousIds })) {
    const traces = await telemetry.read<SessionTrace>(
      `SELECT session, arrayFilter(key -> key != '', groupUniqArrayArray(user_keys)) AS keys, groupUniqArrayArray(anonymous) AS anonymousIds FROM (
        SELECT session_id AS session, user_keys, anonymous_ids AS anonymous FROM sessions WHERE ${rows} AND session_id GLOBAL IN (
          SELECT session_id FROM sessions WHERE ${rows} AND (${ofSession}))
        UNION ALL
        SELECT session_id AS session, [user_key] AS user_keys, [anonymous_id] AS anonymous FROM events WHERE ${rows} AND session_id GLOBAL IN (
          SELECT session_id FROM events WHERE ${rows} AND notEmpty(session_id) AND (${ofEvent}))
      ) GROUP BY session ${ofOthers} ORDER BY session LIMIT ${foundAtOnce}`,
    )
    for (const trace of traces) found.set(trace.session, trace)
  }
  found.delete(noSession)
  return [...found.values()]
}

/** Runs once per list of IDs that fits into a statement. */
function conditionsOf({ targetingKeys, anonymousIds }: ErasedSubject) {
  return [
    ...listsOf(targetingKeys, textLiteral).map((list) => ({
      ofEvent: `user_key IN (${list})`,
      ofSession: `hasAny(user_keys, [${list}])`,
    })),
    ...listsOf(anonymousIds, textLiteral).map((list) => ({
      ofEvent: `anonymous_id IN (${list})`,
      ofSession: `hasAny(anonymous_ids, [${list}])`,
    })),
  ]
}

/** Kept replays stay when their session is past its retention: only the hash is left. */
async function findKept(telemetry: Reader, rows: string, units: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const list of listsOf(units, numberLiteral)) {
    const kept = await telemetry.read<{ session: string }>(
      `SELECT DISTINCT session_id AS session FROM replay_kept WHERE ${rows} AND user_hash IN (${list})
        AND session_id GLOBAL NOT IN (SELECT session_id FROM sessions WHERE ${rows}) LIMIT ${foundAtOnce}`,
    )
    found.push(...kept.map(({ session }) => session))
  }
  return found
}

async function findEventsAlone(telemetry: Reader, rows: string, subject: ErasedSubject): Promise<string[]> {
  const found = new Set<string>()
  for (const { ofEvent } of conditionsOf(subject)) {
    const events = await telemetry.read<{ event: string }>(
      `SELECT DISTINCT event_id AS event FROM events WHERE ${rows} AND empty(session_id) AND (${ofEvent}) LIMIT ${foundAtOnce}`,
    )
    for (const { event } of events) found.add(event)
  }
  return [...found].sort()
}

/** What servers reported: a whole trace belongs to the user that one of its spans names. */
async function findServed(
  telemetry: Reader,
  rows: string,
  { keys, allSessions }: { keys: readonly string[]; allSessions: readonly string[] },
): Promise<Pick<Traces, 'traceIds' | 'logs'>> {
  const conditions = [
    ...listsOf(keys, textLiteral).map((list) => `user_key IN (${list})`),
    ...listsOf(allSessions, uuidLiteral).map((list) => `session_id IN (${list})`),
  ]
  const traceIds = new Set<string>()
  const logs = new Set<string>()
  for (const condition of conditions) {
    const found = await telemetry.read<{ id: string }>(
      `SELECT DISTINCT id FROM (
        SELECT trace_id AS id FROM spans WHERE ${rows} AND ${condition}
        UNION ALL SELECT trace_id AS id FROM logs WHERE ${rows} AND ${condition}
      ) WHERE notEmpty(id) LIMIT ${foundAtOnce}`,
    )
    for (const { id } of found) traceIds.add(id)
    const alone = await telemetry.read<{ id: string }>(
      `SELECT log_id AS id FROM logs WHERE ${rows} AND empty(trace_id) AND ${condition} LIMIT ${foundAtOnce}`,
    )
    for (const { id } of alone) logs.add(id)
  }
  return { traceIds: [...traceIds].sort(), logs: [...logs].sort() }
}

function merge(subject: ErasedSubject, sessions: readonly SessionTrace[]): ErasedSubject {
  const found = sessions.flatMap(({ anonymousIds }) => anonymousIds).filter((id) => id !== '')
  return {
    targetingKeys: subject.targetingKeys,
    anonymousIds: distinct([...subject.anonymousIds, ...found]),
  }
}

const distinct = (texts: readonly string[]) => [...new Set(texts)]

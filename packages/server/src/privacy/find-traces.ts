// What the telemetry store holds of a person: the sessions, and every id and unit that they went by.

import { unitHash } from '@telltale/core/telemetry/unit-hash'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import type { ErasedSubject } from '../engines/postgres/privacy-schema.ts'

export interface Traces extends ErasedSubject {
  sessions: string[]
  /** Hashes, as 64-bit numbers. */
  units: string[]
}

interface SessionTrace {
  session: string
  keys: string[]
  anonymousIds: string[]
}

/** Of one person; past it, the sweep finds the rest the next time. */
const sessionsAtOnce = 20_000

export async function findTraces(
  telemetry: Pick<Telemetry, 'read'>,
  environmentId: string,
  subject: ErasedSubject,
): Promise<Traces> {
  const first = await findSessions(telemetry, environmentId, subject)
  const known = merge(subject, first)
  // Browsers of this person may have been used before anybody signed in there.
  const hasMore = known.anonymousIds.length > subject.anonymousIds.length
  const sessions = hasMore ? await findSessions(telemetry, environmentId, known) : first
  const { targetingKeys, anonymousIds } = hasMore ? merge(known, sessions) : known
  const hashOf = (attribute: string) => (value: string) =>
    unitHash({ environment: environmentId, attribute, value })
  return {
    targetingKeys,
    anonymousIds,
    sessions: sessions.map(({ session }) => session),
    units: distinct([
      ...targetingKeys.map(hashOf('targetingKey')),
      ...anonymousIds.map(hashOf('targetingKey')),
      ...anonymousIds.map(hashOf('anonymousId')),
    ]),
  }
}

/** With a key given, a session in which only others were signed in is theirs: browsers are shared. */
async function findSessions(
  telemetry: Pick<Telemetry, 'read'>,
  environmentId: string,
  { targetingKeys, anonymousIds }: ErasedSubject,
): Promise<SessionTrace[]> {
  const ofOthers =
    targetingKeys.length === 0 ? '' : 'HAVING empty(keys) OR hasAny(keys, {keys:Array(String)})'
  return telemetry.read<SessionTrace>(
    `SELECT session_id AS session, groupUniqArrayIf(user_key, user_key != '') AS keys,
      groupUniqArrayIf(anonymous_id, anonymous_id != '') AS anonymousIds
    FROM events WHERE environment_id = {environment:UUID} AND session_id IN (
      SELECT session_id FROM events WHERE environment_id = {environment:UUID}
        AND (user_key IN {keys:Array(String)} OR anonymous_id IN {anonymous:Array(String)}))
    GROUP BY session_id ${ofOthers} LIMIT ${sessionsAtOnce}`,
    { values: { environment: environmentId, keys: targetingKeys, anonymous: anonymousIds } },
  )
}

function merge(subject: ErasedSubject, sessions: readonly SessionTrace[]): ErasedSubject {
  return {
    targetingKeys: subject.targetingKeys,
    anonymousIds: distinct([
      ...subject.anonymousIds,
      ...sessions.flatMap(({ anonymousIds }) => anonymousIds),
    ]),
  }
}

const distinct = (texts: readonly string[]) => [...new Set(texts)]

// Restores the flag values of sessions from their recorded exposures: after a restart, for sessions of other servers,
// and after eviction.

import { limits } from '@telltale/core/limits'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

export interface FoundExposure {
  environmentId: string
  session: string
  flag: string
  variation: string
  /** By the client's clock. */
  at: number
  userKey: string
  anonymousId: string
  view: string
  /** `split.epoch.unit`, the unit hashed. */
  arms: string[]
}

interface Row {
  environment: string
  session: string
  flag: string
  pair: string
  at: string
  user_key: string
  anonymous_id: string
  view: string
  told_arms: string[]
}

/** More than are kept in memory, and the row limit of a query; the newest ones are read. */
const most = limits.telemetryReadRows

/** Of some sessions, or of all that may still continue; the oldest first. */
export async function findExposures(
  telemetry: Pick<Telemetry, 'read'>,
  {
    source,
    now,
    of,
    signal,
  }: {
    source: string
    now: number
    of?: { environmentId: string; sessions: readonly string[] }
    signal?: AbortSignal
  },
): Promise<FoundExposure[]> {
  const some =
    of === undefined ? '' : 'AND environment_id = {environment:UUID} AND session_id IN {sessions:Array(UUID)}'
  const rows = await telemetry.read<Row>(
    `SELECT toString(environment_id) AS environment, toString(session_id) AS session, toString(name) AS flag,
      toString(arrayFirst(each -> startsWith(each, concat(name, '=')), flags)) AS pair,
      toString(toUnixTimestamp64Milli(client_ts)) AS at, user_key, anonymous_id, toString(view_id) AS view,
      arrayMap(each -> concat(toString(each.split), '.', toString(each.epoch), '.', toString(each.unit)), arms) AS told_arms
    FROM events
    WHERE kind = 'exposure' AND source = {source:String} AND ts >= fromUnixTimestamp64Milli({from:Int64}) ${some}
    ORDER BY ts DESC LIMIT ${most}`,
    {
      values: {
        source,
        from: now - limits.monitoredSessionMaximum,
        ...(of && {
          environment: of.environmentId,
          sessions: `[${of.sessions.map((id) => `'${id}'`).join()}]`,
        }),
      },
      ...(signal && { signal }),
    },
  )
  return rows.reverse().map((row) => ({
    environmentId: row.environment,
    session: row.session,
    flag: row.flag,
    variation: row.pair.slice(row.flag.length + 1),
    at: Number(row.at),
    userKey: row.user_key,
    anonymousId: row.anonymous_id,
    view: row.view,
    arms: row.told_arms,
  }))
}

import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { EventMark } from './event-mark.ts'

export interface EventRow {
  event_id: string
  kind: string
  at: string
  received: string
  session_id: string
  view_id: string
  user_key: string
  anonymous_id: string
  service: string
  version: string
  page: string
  url: string
  country: string
  browser: string
  browser_version: string
  os: string
  device: string
  bot: number
  name: string
  value: number
  duration: number
  target: string
  res_endpoint: string
  res_status: number
  res_failed: number
  err_type: string
  err_message: string
  flags: string[]
  attrs: Record<string, string>
}

interface EventFilter {
  environmentId: string
  kind: string | undefined
  session: string | undefined
  /** By user key or anonymous ID. */
  users: readonly string[] | undefined
  from: Date
  to: Date
}

export const eventColumns = `event_id, kind, toString(toUnixTimestamp64Milli(ts)) AS at, toString(toUnixTimestamp64Milli(received_at)) AS received,
  session_id, view_id, user_key, anonymous_id, service, version, page, url, country, browser, browser_version, os, device, bot, name,
  value, duration, target, res_endpoint, res_status, res_failed, err_type, err_message, flags, attrs`

export async function findEvents(
  telemetry: Pick<Telemetry, 'read'>,
  filter: EventFilter,
  { before, count }: { before: EventMark | undefined; count: number },
): Promise<EventRow[]> {
  const { environmentId, kind, session, users, from, to } = filter
  const wanted = [
    'environment_id = {environment:UUID}',
    'ts >= fromUnixTimestamp64Milli({from:Int64})',
    'ts <= fromUnixTimestamp64Milli({to:Int64})',
    ...(kind === undefined ? [] : ['kind = {kind:String}']),
    ...(session === undefined ? [] : ['session_id = {session:UUID}']),
    ...(users === undefined
      ? []
      : ['(user_key IN {users:Array(String)} OR anonymous_id IN {users:Array(String)})']),
    ...(before === undefined
      ? []
      : [
          '(ts < fromUnixTimestamp64Milli({at:Int64}) OR (ts = fromUnixTimestamp64Milli({at:Int64}) AND event_id < {id:UUID}))',
        ]),
  ]
  return telemetry.read<EventRow>(
    `SELECT ${eventColumns} FROM events WHERE ${wanted.join(' AND ')} ORDER BY ts DESC, event_id DESC LIMIT {count:UInt32}`,
    {
      values: {
        environment: environmentId,
        from: from.getTime(),
        to: to.getTime(),
        count,
        ...(kind !== undefined && { kind }),
        ...(session !== undefined && { session }),
        ...(users !== undefined && { users }),
        ...(before !== undefined && { at: before.at, id: before.id }),
      },
    },
  )
}

interface OutcomeRow {
  /** Seconds since 1970. */
  at: string
  kind: string
  source: string
  reason: string
  total: string
}

export async function findOutcomes(
  telemetry: Pick<Telemetry, 'read'>,
  { environmentId, from, to }: Pick<EventFilter, 'environmentId' | 'from' | 'to'>,
): Promise<OutcomeRow[]> {
  return telemetry.read<OutcomeRow>(
    `SELECT toString(toUnixTimestamp(hour)) AS at, kind, source, reason, sum(count) AS total FROM intake_outcomes
    WHERE environment_id = {environment:UUID} AND hour >= toDateTime({from:UInt32}, 'UTC') AND hour <= toDateTime({to:UInt32}, 'UTC')
    GROUP BY hour, kind, source, reason ORDER BY hour DESC, total DESC, kind, reason`,
    {
      values: {
        environment: environmentId,
        from: seconds(from),
        to: seconds(to),
      },
    },
  )
}

const latestSecond = 4_294_967_295
const seconds = (at: Date) => Math.max(0, Math.min(latestSecond, Math.floor(at.getTime() / 1_000)))

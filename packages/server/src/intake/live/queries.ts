import type { Filter } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { eventColumns } from '@telltale/core/telemetry/event-row'
import { sql } from 'drizzle-orm'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { liveChannel } from '../../platform/engines/postgres/announcements.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

/** Columns that are not in a row as the intake writes it. */
const written: Partial<Record<(typeof eventColumns)[number], string>> = {
  ts: 'toUnixTimestamp64Milli(ts)',
  client_ts: 'toUnixTimestamp64Milli(client_ts)',
  received_at: 'toUnixTimestamp64Milli(received_at)',
  arms: 'arrayMap(arm -> [toString(arm.split), toString(arm.epoch), toString(arm.arm)], arms)',
  scripts: '[]',
}

const columns = eventColumns.map((name) => `${written[name] ?? name} AS c_${name}`)

interface NewestRows {
  environmentId: string
  filter: Filter
  /** Milliseconds since 1970. */
  since: number
  count: number
}

/**
 * The newest events in the intake's row format, the newest first; of the filter, only what the store can evaluate.
 */
export async function findNewestRows(
  telemetry: Pick<Telemetry, 'read'>,
  { environmentId, filter, since, count }: NewestRows,
): Promise<unknown[][]> {
  const kind = valuesOf(filter, 'kind')
  const session = valuesOf(filter, 'session')
  const user = valuesOf(filter, 'user')
  const wanted = [
    'environment_id = {environment:UUID}',
    'ts >= fromUnixTimestamp64Milli({since:Int64})',
    ...(kind === undefined ? [] : ['kind IN {kind:Array(String)}']),
    ...(session === undefined ? [] : ['session_id IN {session:Array(UUID)}']),
    ...(user === undefined
      ? []
      : ['(user_key IN {user:Array(String)} OR anonymous_id IN {user:Array(String)})']),
  ].join(' AND ')
  // Select the rows before reading their many columns.
  const newest = `SELECT ts FROM events WHERE ${wanted} ORDER BY ts DESC LIMIT {count:UInt32}`
  const rows = await telemetry.read<Record<string, unknown>>(
    `SELECT ${columns.join(', ')} FROM events WHERE ${wanted} AND ts >= (SELECT min(ts) FROM (${newest}))
    ORDER BY ts DESC, event_id DESC LIMIT {count:UInt32}`,
    {
      values: {
        environment: environmentId,
        since,
        count,
        ...(kind !== undefined && { kind }),
        ...(session !== undefined && { session }),
        ...(user !== undefined && { user }),
      },
    },
  )
  return rows.map((row) => eventColumns.map((name) => row[`c_${name}`]))
}

/** The values that the filter allows for the field, if any. */
function valuesOf({ chips }: Filter, field: FieldName): string[] | undefined {
  const chip = chips.find((one) => one.field === field && one.operator === 'is' && !one.isNegated)
  return chip && [...chip.values]
}

/** Notifies the other servers on this PostgreSQL. */
export async function sendNote(db: Queryable, text: string): Promise<void> {
  await db.execute(sql`SELECT pg_notify(${liveChannel}, ${text})`)
}

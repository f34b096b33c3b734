// Inserts events of the past, as if they had arrived without a split. Directly into the store, because the
// intake rejects events that old.

import type { GuardEvent } from '../../../platform/engines/clickhouse/schema/testing/guard-events.ts'
import type { Telemetry } from '../../../platform/engines/clickhouse/telemetry.ts'

const columns = [
  'environment_id',
  'kind',
  'ts',
  'event_id',
  'session_id',
  'name',
  'value',
  'user_hash',
] as const

/** `token` separates the batches of one test. */
export async function insertPast(
  telemetry: Pick<Telemetry, 'insert'>,
  events: readonly GuardEvent[],
  token: string,
): Promise<void> {
  const rows = events.map(({ environment, kind, at, id, session, name, value, arms }) =>
    JSON.stringify([environment, kind, at, id, session, name, value, arms[0]?.unit]),
  )
  const batch = { table: 'events', columns, rows: Buffer.from(rows.join('\n')), token } as const
  const outcome = await telemetry.insert(batch)
  if (outcome.kind !== 'stored') throw new Error(`not stored: ${JSON.stringify(outcome)}`)
}

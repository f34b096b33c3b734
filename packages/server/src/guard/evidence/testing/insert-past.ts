// Events of the past, as they would stand in the store had they come without a split: straight into it, because the intake
// takes nothing that old.

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

/** `token` tells batches of one test apart. */
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

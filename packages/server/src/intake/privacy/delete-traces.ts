// Deletes the rows of a user from every table of the telemetry store, and counts them. Idempotent: deleted rows are not
// found again.

import type { StoredTable } from '../../platform/engines/clickhouse/schema/tables.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { rowsOf } from '../retention/find-past.ts'
import { listsOf, numberLiteral, uuidLiteral } from '../retention/id-lists.ts'
import type { Traces } from './find-traces.ts'

export const tablesBySession = [
  'events',
  'events_sampled',
  'sessions',
  'views',
  'view_flags',
  'replay_segments',
  'replay_kept',
  'profile_rows',
  'profile_blobs',
] as const satisfies readonly StoredTable[]
export const tablesByUnit = [
  'exposures',
  'unit_measures',
  'unit_buckets',
  'unit_vitals',
  'unit_histories',
] as const satisfies readonly StoredTable[]

/** By the ID of a trace. */
export const tablesByTrace = ['spans', 'logs', 'traces'] as const satisfies readonly StoredTable[]

export async function deleteTraces(
  telemetry: Pick<Telemetry, 'read' | 'remove'>,
  environmentId: string,
  {
    sessions,
    events,
    units,
    traceIds,
    logs,
  }: Pick<Traces, 'sessions' | 'events' | 'units' | 'traceIds' | 'logs'>,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  const work = [
    ...tablesBySession.map((table) => ({ table, column: 'session_id', ids: sessions, literal: uuidLiteral })),
    ...(['events', 'events_sampled'] as const).map((table) => ({
      table,
      column: 'event_id',
      ids: events,
      literal: uuidLiteral,
    })),
    ...tablesByTrace.map((table) => ({ table, column: 'trace_id', ids: traceIds, literal: uuidLiteral })),
    { table: 'logs', column: 'log_id', ids: logs, literal: uuidLiteral } as const,
    ...tablesByUnit.map((table) => ({ table, column: 'unit', ids: units, literal: numberLiteral })),
  ]
  for (const { table, column, ids, literal } of work) {
    for (const list of listsOf(ids, literal)) {
      const where = `${rowsOf(environmentId)} AND ${column} IN (${list})`
      const [found] = await telemetry.read<{ n: string }>(`SELECT count() AS n FROM ${table} WHERE ${where}`)
      const rows = Number(found?.n ?? 0)
      if (rows === 0) continue
      await telemetry.remove({ rows: where, table })
      deleted[table] = (deleted[table] ?? 0) + rows
    }
  }
  return deleted
}

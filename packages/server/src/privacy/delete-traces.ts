// Deletes the rows of a person from every table of the telemetry store, and counts them. May be done again at any time:
// what is gone is not found.

import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import type { Traces } from './find-traces.ts'

const bySession = [
  'events',
  'sessions',
  'views',
  'replay_segments',
  'replay_kept',
  'profile_rows',
  'profile_blobs',
] as const
const byUnit = ['exposures', 'unit_measures', 'unit_buckets'] as const

/** Ids in one statement. */
const idsAtOnce = 1_000
const aUuid = /^[0-9a-f-]{36}$/
const aNumber = /^\d{1,20}$/

export async function deleteTraces(
  telemetry: Pick<Telemetry, 'read' | 'command'>,
  environmentId: string,
  { sessions, units }: Traces,
): Promise<Record<string, number>> {
  const deleted: Record<string, number> = {}
  const work = [
    ...bySession.map((table) => ({
      table,
      column: 'session_id',
      ids: sessions,
      pattern: aUuid,
      type: 'UUID',
    })),
    ...byUnit.map((table) => ({ table, column: 'unit', ids: units, pattern: aNumber, type: 'UInt64' })),
  ]
  for (const { table, column, ids, pattern, type } of work) {
    for (let first = 0; first < ids.length; first += idsAtOnce) {
      const some = ids.slice(first, first + idsAtOnce).filter((id) => pattern.test(id))
      const where = `environment_id = '${environmentId}' AND ${column} IN (${some.map((id) => `to${type}('${id}')`).join(', ')})`
      const [found] = await telemetry.read<{ n: string }>(`SELECT count() AS n FROM ${table} WHERE ${where}`)
      const rows = Number(found?.n ?? 0)
      if (rows === 0) continue
      await telemetry.command(`DELETE FROM ${table} WHERE ${where}`)
      deleted[table] = (deleted[table] ?? 0) + rows
    }
  }
  return deleted
}

// Counts that have no data kind and no retention per environment: they are deleted at the tables' own limits.

import { countDays } from '../../platform/engines/clickhouse/schema/counts.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

const day = 86_400_000

export async function removeOldCounts(
  telemetry: Pick<Telemetry, 'read' | 'remove'>,
  now: Date,
): Promise<void> {
  const before = (days: number) => `toDateTime(${Math.floor((now.getTime() - days * day) / 1_000)}, 'UTC')`
  const past = [
    { table: 'intake_outcomes', rows: `hour < ${before(countDays.all)}` },
    { table: 'evaluation_counts', rows: `slot < ${before(countDays.all)}` },
    { table: 'evaluation_counts', rows: `grain = 'minute' AND slot < ${before(countDays.minutes)}` },
  ] as const
  for (const { table, rows } of past) {
    const found = await telemetry.read(`SELECT 1 FROM ${table} WHERE ${rows} LIMIT 1`)
    if (found.length > 0) await telemetry.remove({ rows, table })
  }
}

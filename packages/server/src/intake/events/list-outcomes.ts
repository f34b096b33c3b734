import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { listOutcomes as listOutcomesCall } from '@telltale/core/contract/intake'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Intake } from './intake.ts'
import { findOutcomes } from './queries.ts'
import { readPeriod } from './read-period.ts'

const hour = 3_600_000

export async function listOutcomes(
  telemetry: Telemetry,
  environmentId: string,
  {
    query,
    now,
    quarantinedRows,
  }: { query: QueryOf<typeof listOutcomesCall>; now: Date } & Pick<Intake, 'quarantinedRows'>,
): Promise<ReplyOf<typeof listOutcomesCall>> {
  const period = readPeriod(query, now)
  const from = new Date(Math.floor(period.from.getTime() / hour) * hour)
  const rows = await findOutcomes(telemetry, { environmentId, from, to: period.to })
  const { items } = await quarantinedRows.list(environmentId)
  return {
    quarantined: items.reduce((sum, { count }) => sum + count, 0),
    from: from.toISOString(),
    to: period.to.toISOString(),
    outcomes: rows.map(({ at, kind, source, reason, total }) => ({
      hour: new Date(Number(at) * 1_000).toISOString(),
      kind,
      source,
      reason,
      count: Number(total),
    })),
  }
}

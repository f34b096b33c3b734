import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { previewRetention as previewCall } from '@telltale/core/contract/retention'
import { cutsOf, retentionKinds } from '@telltale/core/query/retention'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { daysOf } from './days-of.ts'
import { countPastSessions, countUnused, findPast, measureRows } from './find-past.ts'

/** Reads with the same conditions that the night uses for deletion. */
export async function previewRetention(
  telemetry: Pick<Telemetry, 'read' | 'files'>,
  environment: EnvironmentRow,
  { query, now }: { query: QueryOf<typeof previewCall>; now: Date },
): Promise<ReplyOf<typeof previewCall>> {
  const { id: environmentId, timeZone } = environment
  const days = { ...daysOf(environment), ...query }
  const cuts = cutsOf(days, { now: now.getTime(), timeZone })
  const requested = { environmentId, cuts }
  const rowBytes = await measureRows(telemetry)
  const past = await findPast(telemetry, requested, rowBytes)
  const unused = await countUnused(telemetry, { ...requested, now: now.getTime(), rowBytes })
  const going = [...past, ...unused]
  const inZone = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const kinds = []
  for (const kind of retentionKinds) {
    const own = going.filter((one) => one.kind === kind)
    const rows = own.reduce((sum, one) => sum + one.rows, 0)
    kinds.push({
      kind,
      days: days[kind],
      from: new Date(cuts[kind]).toISOString(),
      firstDay: inZone.format(cuts[kind]),
      rows,
      sessions: rows === 0 ? 0 : await countPastSessions(telemetry, requested, kind),
      bytes: own.reduce((sum, one) => sum + one.bytes, 0),
    })
  }
  return { kinds }
}

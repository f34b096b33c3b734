// The disk usage of environments, by kind and day. Rows get a share of their file's size in proportion to their number;
// recordings contain their own size.

import { limits } from '@telltale/core/limits'
import { type RetentionKind, retentionKinds } from '@telltale/core/query/retention'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { measureRows } from './find-past.ts'
import { type KeptTable, keptTables } from './kept-tables.ts'

interface DayUse {
  environmentId: string
  kind: RetentionKind
  /** In UTC. For data that is merged by month, the last day of the month. */
  day: string
  rows: number
  bytes: number
  /** Deleted when its day is past, unlike kept replays and referenced data. */
  goes: boolean
  isKept: boolean
}

interface Row {
  environment: string
  date: string
  partition: string
  found: string
  size: string
}

export async function measureStorage(
  telemetry: Pick<Telemetry, 'read' | 'files'>,
  environmentIds: readonly string[],
): Promise<DayUse[]> {
  if (environmentIds.length === 0) return []
  const rowBytes = await measureRows(telemetry)
  const measure = async (kept: KeptTable): Promise<DayUse[]> => {
    const { table, kind, day, only, bytes, past, isMonthly } = kept
    const rows = await telemetry.read<Row>(
      `SELECT toString(environment_id) AS environment, toString(${isMonthly ? `toLastDayOfMonth(${day})` : day}) AS date,
        _partition_id AS partition, toString(count()) AS found, toString(${bytes === undefined ? '0' : `sum(${bytes})`}) AS size
      FROM ${table} WHERE environment_id IN {environments:Array(UUID)}${only === undefined ? '' : ` AND ${only}`}
      GROUP BY environment, date, partition`,
      { values: { environments: environmentIds }, limit: limits.screenReadTimeout },
    )
    return rows.map(({ environment, date, partition, found, size }) => ({
      environmentId: environment,
      kind,
      day: date,
      rows: Number(found),
      bytes: bytes === undefined ? Number(found) * rowBytes(table, partition) : Number(size),
      goes: past !== undefined,
      isKept: table === 'replay_kept',
    }))
  }
  const measured: DayUse[] = []
  // Sequentially, to leave capacity for other queries.
  for (const kept of keptTables) measured.push(...(await measure(kept)))
  return measured
}

export interface KindUse {
  kind: RetentionKind
  rows: number
  bytes: number
  firstDay: string | null
}

export function sumByKind(uses: readonly DayUse[]): KindUse[] {
  return retentionKinds.map((kind) => {
    const own = uses.filter((one) => one.kind === kind)
    const days = own.filter(({ goes }) => goes).map(({ day }) => day)
    return {
      kind,
      rows: own.reduce((sum, { rows }) => sum + rows, 0),
      bytes: Math.round(sumBytes(own)),
      firstDay: days.length === 0 ? null : days.reduce((first, day) => (day < first ? day : first)),
    }
  })
}

export const sumBytes = (uses: readonly { bytes: number }[]) =>
  uses.reduce((sum, { bytes }) => sum + bytes, 0)

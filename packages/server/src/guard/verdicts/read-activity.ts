// Cheap questions about a split before its evidence is read, and how many users its arms have now.
import { limits } from '@telltale/core/limits'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

interface SplitRef {
  environmentId: string
  split: string
  epoch: number
}

const ofSplit = 'environment_id = {environmentId:UUID} AND split = {split:UInt64} AND epoch = {epoch:UInt32}'

/** The measurements of a split so far: the number grows with each, whatever it measures. */
export async function countMeasurements(
  telemetry: Pick<Telemetry, 'read'>,
  split: SplitRef,
): Promise<number> {
  const [row] = await telemetry.read<{ n: number }>(
    `SELECT toFloat64(sum(n)) AS n FROM unit_measures WHERE ${ofSplit}`,
    { values: { ...split } },
  )
  return row?.n ?? 0
}

/** Users of each arm per hour, in the last hours. */
export async function readUsersPerHour(
  telemetry: Pick<Telemetry, 'read'>,
  split: SplitRef & { startedAt: Date },
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const since = Math.max(split.startedAt.getTime(), now.getTime() - limits.unguardedRecent)
  const { startedAt: _startedAt, ...ref } = split
  const rows = await telemetry.read<{ arm: string; units: number }>(
    `SELECT arrayJoin(arms) AS arm, toFloat64(uniqExact(unit)) AS units FROM exposures
    WHERE ${ofSplit} AND last_ts >= fromUnixTimestamp64Milli({since:Int64}) GROUP BY arm`,
    { values: { ...ref, since } },
  )
  // In its first hour, a split has the users of an hour at most.
  const hours = Math.max(1, (now.getTime() - since) / hour)
  return new Map(rows.map(({ arm, units }) => [arm, units / hours]))
}

const hour = 3_600_000

// Cheap questions about a split before its evidence is read, and how many users its arms have now.
import { limits } from '@telltale/core/limits'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

interface SplitRef {
  environmentId: string
  split: string
  epoch: number
}

const ofSplit = 'environment_id = {environmentId:UUID} AND split = {split:UInt64} AND epoch = {epoch:UInt32}'

/** Splits in one statement: their ids are part of its URL. */
const countedTogether = 500

/**
 * The measurements so far, by the id of the split: the number grows with each, whatever it measures. All splits of an
 * environment are counted together.
 */
export async function countMeasurements(
  telemetry: Pick<Telemetry, 'read'>,
  splits: readonly SplitRef[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const environmentId of new Set(splits.map((one) => one.environmentId))) {
    const all = splits.filter((one) => one.environmentId === environmentId)
    for (let from = 0; from < all.length; from += countedTogether) {
      const some = all.slice(from, from + countedTogether)
      const values = {
        environmentId,
        // Text would be quoted.
        splits: some.map(({ split }) => BigInt(split)),
        epochs: some.map(({ epoch }) => epoch),
      }
      const rows = await telemetry.read<{ split: string; n: number }>(
        `SELECT split, toFloat64(sum(n)) AS n FROM unit_measures
        WHERE environment_id = {environmentId:UUID} AND split IN {splits:Array(UInt64)}
          AND has(arrayZip({splits:Array(UInt64)}, {epochs:Array(UInt32)}), (split, epoch))
        GROUP BY split`,
        { values },
      )
      for (const { split, n } of rows) counts.set(String(split), n)
    }
  }
  return counts
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

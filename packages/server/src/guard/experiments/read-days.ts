// Users by the day of their first exposure, for each variation: shows whether an experiment still gains users.

import type { ExperimentResults } from '@telltale/core/contract/experiments'
import { limits } from '@telltale/core/limits'
import type { Services } from '../../platform/services.ts'
import type { CountedEpoch } from './queries.ts'

interface DaysOf {
  environment: { id: string }
  split: string
  epochs: readonly CountedEpoch[]
  timeZone: string
}

interface Row {
  day: string
  arm: string
  units: number
}

export async function readDays(
  telemetry: Services['telemetry'],
  { environment, split, epochs, timeZone }: DaysOf,
): Promise<ExperimentResults['days']> {
  if (epochs.length === 0) return []
  const rows = await telemetry.read<Row>(
    `SELECT toString(toDate(began.1, {zone:String})) AS day, toString(began.2) AS arm, toFloat64(count()) AS units
    FROM (
      SELECT unit, min(first_arm) AS began FROM exposures
      WHERE environment_id = {environment:UUID} AND split = {split:UInt64} AND epoch IN {epochs:Array(UInt32)}
      GROUP BY unit)
    GROUP BY day, arm ORDER BY day DESC
    LIMIT {most:UInt32}`,
    {
      values: {
        zone: timeZone,
        environment: environment.id,
        split,
        epochs: epochs.map(({ epoch }) => epoch),
        most: limits.experimentDays * limits.impactArms,
      },
    },
  )
  const days = new Map<string, Record<string, number>>()
  for (const { day, arm, units } of rows) days.set(day, { ...days.get(day), [arm]: units })
  return [...days]
    .map(([day, units]) => ({ day, units }))
    .toSorted((one, other) => (one.day < other.day ? -1 : 1))
    .slice(-limits.experimentDays)
}

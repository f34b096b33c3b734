// Whether both arms send events now: units with any event in the last minutes, and the number expected from the
// hour before. Read from raw events, because roll-ups have no time of day.
import { limits } from '@telltale/core/limits'
import type { ArmName } from '@telltale/core/statistics/sums'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { type ComparedArms, questionOfSplits, type ReadSplit } from './split-question.ts'

export interface HeardSignal {
  heard: Record<ArmName, number>
  /** Undefined if no unit sent events in the hour before. */
  expected: Record<ArmName, number> | undefined
  isFresh: boolean
}

const hour = 3_600_000
const windows = hour / limits.guardFreshness

interface Row {
  split: string
  arm: string
  lately: number
  before: number
}

/** In the order of the splits, which share the environment and the names of their arms. */
export async function readSignals(
  telemetry: Pick<Telemetry, 'read'>,
  splits: readonly [ComparedArms, ...ComparedArms[]],
  now: Date,
): Promise<HeardSignal[]> {
  const question = questionOfSplits(telemetry, splits)
  const { bind, arm } = question
  const at = (ago: number) => `fromUnixTimestamp64Milli(${bind(now.getTime() - ago, 'Int64')})`
  const [lately, before] = [at(limits.guardFreshness), at(limits.guardFreshness + hour)]
  const each = splits.map(({ split }) => bind(split, 'UInt64')).join(', ')
  const rows = await question.read<Row>(
    `SELECT split, arm, toFloat64(uniqExactIf(unit, ts >= ${lately})) AS lately,
      toFloat64(uniqExactIf((unit, intDiv(toUnixTimestamp64Milli(${lately}) - toUnixTimestamp64Milli(ts), ${limits.guardFreshness})), ts < ${lately})) AS before
    FROM (
      SELECT ts, one.split AS split, one.arm AS arm, one.unit AS unit
      FROM (SELECT ts, arrayJoin(arms) AS one FROM ${question.eventsOf(`ts >= ${before} AND ts < ${at(0)}`)})
      WHERE one.split IN (${each}) AND one.arm IN (${arm.treatment}, ${arm.control}))
    GROUP BY split, arm`,
  )
  return question.splits.map((split) =>
    signalOf(
      split,
      rows.filter((row) => row.split === split.split),
    ),
  )
}

function signalOf({ armOf }: ReadSplit, rows: readonly Row[]): HeardSignal {
  const heard = { treatment: 0, control: 0 }
  const expected = { treatment: 0, control: 0 }
  for (const row of rows) {
    const arm = armOf(row.arm)
    if (arm === undefined) continue
    heard[arm] = row.lately
    expected[arm] = row.before / windows
  }
  return {
    heard,
    expected: expected.treatment + expected.control > 0 ? expected : undefined,
    isFresh: heard.treatment > 0 && heard.control > 0,
  }
}

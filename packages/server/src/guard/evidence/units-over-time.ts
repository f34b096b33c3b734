import type { ArmName } from '@telltale/core/statistics/sums'
import type { SplitQuestion } from './split-question.ts'

interface Row {
  /** The first instant that includes them, from 1; 0 for none. */
  cut: number
  treatment: number
  control: number
}

/** The number of units in each arm at each instant, in milliseconds since 1970, oldest first. */
export async function readUnitsAt(
  question: SplitQuestion,
  instants: readonly number[],
): Promise<Record<ArmName, number>[]> {
  const { arm } = question
  const points = question.bind(instants, 'Array(Int64)')
  const rows = await question.read<Row>(
    `SELECT arrayFirstIndex(t -> t >= began, ${points}) AS cut,
      toFloat64(sum(in_treatment)) AS treatment, toFloat64(sum(in_control)) AS control
    FROM (SELECT min(toUnixTimestamp64Milli(first_arm.1)) AS began,
        max(has(arms, ${arm.treatment})) AS in_treatment, max(has(arms, ${arm.control})) AS in_control
      FROM ${question.rowsOf('exposures')} GROUP BY unit)
    GROUP BY cut`,
  )
  return instants.map((_, index) => {
    const come = rows.filter(({ cut }) => cut > 0 && cut <= index + 1)
    const sum = (of: ArmName) => come.reduce((all, row) => all + row[of], 0)
    return { treatment: sum('treatment'), control: sum('control') }
  })
}

// Who was exposed to which arm of a split, where first, and who saw both arms.
import type { StageEvents } from '@telltale/core/statistics/event-share'
import type { ArmName } from '@telltale/core/statistics/sums'
import { type CountedPlace, firstPlace, placeOf, stagesOf } from './first-place.ts'
import type { SplitsQuestion } from './split-question.ts'

export interface Exposures {
  stages: StageEvents[]
  /** Units that saw the arm at any time; who moved counts in both. */
  units: Record<ArmName, number>
  /** Units that saw both arms inside one stage, which a sticky draw does not do. */
  crossed: number
  /** The share of the treatment's units that had it before these stages; nothing where there was no time before. */
  reexposed?: number | undefined
}

interface Row extends CountedPlace {
  split: string
  treatment: number
  control: number
  crossed: number
}

/** In the order of the splits. */
export async function readExposures(question: SplitsQuestion): Promise<Exposures[]> {
  const { arm } = question
  const side = `multiIf(first_arm.2 = ${arm.treatment}, 1, first_arm.2 = ${arm.control}, 0, 2)`
  const began = firstPlace('toUnixTimestamp64Milli(first_arm.1)', side)
  // First by stage: a row is what one insert brought, and may know one arm only.
  const byStage = `SELECT split, unit, epoch, min(${began}) AS began,
      max(has(arms, ${arm.treatment})) AS in_treatment, max(has(arms, ${arm.control})) AS in_control
    FROM ${question.rowsOf('exposures')} GROUP BY split, unit, epoch`
  const byUnit = `SELECT split, unit, min(began) AS first, max(in_treatment) AS saw_treatment, max(in_control) AS saw_control,
      max(in_treatment AND in_control) AS has_crossed FROM (${byStage}) GROUP BY split, unit`
  const reexposed = await readReexposed(question)
  const found = await question.read<Row>(
    `SELECT split, ${placeOf('first')} AS place, toFloat64(count()) AS units, toFloat64(sum(saw_treatment)) AS treatment,
      toFloat64(sum(saw_control)) AS control, toFloat64(sum(has_crossed)) AS crossed FROM (${byUnit}) GROUP BY split, place`,
  )
  return question.splits.map((split) => {
    const rows = found.filter((row) => row.split === split.split)
    const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0)
    return {
      stages: stagesOf(split, rows),
      units: { treatment: sum(({ treatment }) => treatment), control: sum(({ control }) => control) },
      crossed: sum(({ crossed }) => crossed),
      reexposed: reexposed.get(split.split),
    }
  })
}

/** By split. A split keeps its id through all rollouts at its place, so an earlier epoch is an earlier time with the treatment. */
async function readReexposed(question: SplitsQuestion): Promise<Map<string, number>> {
  const { bind, arm } = question
  const earlier = question.splits.flatMap(({ split, epochs }) => {
    const first = Math.min(...epochs.map(({ epoch }) => epoch))
    return first > 1 ? [{ split, first }] : []
  })
  if (earlier.length === 0) return new Map()
  const splits = earlier.map(({ split }) => bind(split, 'UInt64')).join(', ')
  const firsts = earlier.map(({ first }) => bind(first, 'UInt32')).join(', ')
  const byUnit = `SELECT split, unit, max(${question.isOfStages}) AS has_it, max(epoch < transform(split, [${splits}], [${firsts}], 0)) AS had_it
    FROM exposures WHERE ${question.ofEnvironment} AND split IN (${splits}) AND has(arms, ${arm.treatment}) GROUP BY split, unit`
  const rows = await question.read<{ split: string; units: number; again: number }>(
    `SELECT split, toFloat64(sum(has_it)) AS units, toFloat64(sum(has_it AND had_it)) AS again FROM (${byUnit}) GROUP BY split`,
  )
  return new Map(rows.flatMap(({ split, units, again }) => (units > 0 ? [[split, again / units]] : [])))
}

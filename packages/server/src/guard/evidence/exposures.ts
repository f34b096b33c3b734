// Exposures of a split: which units saw which arm, where first, and which saw both.
import type { StageEvents } from '@telltale/core/statistics/event-share'
import type { ArmName } from '@telltale/core/statistics/sums'
import { type CountedPlace, firstPlace, placeSql, stagesOf } from './first-place.ts'
import type { ReadSplit, SplitsQuestion } from './split-question.ts'

export interface Exposures {
  stages: StageEvents[]
  /** Units that saw the arm at any time; a unit that changed arm counts in both. */
  units: Record<ArmName, number>
  /** Units that saw both arms within one stage, which sticky bucketing rules out. */
  crossed: number
  /**
   * The share of the treatment's units that had the treatment before these stages; undefined if there was no
   * earlier epoch.
   */
  reexposed?: number | undefined
}

interface Row extends CountedPlace {
  split: string
  treatment: number
  control: number
  crossed: number
  /** Units of the treatment that had it before. */
  again: number
}

/**
 * In the order of the splits. A split keeps its id across all rollouts at its place, so an earlier epoch is an
 * earlier use of the same split.
 */
export async function readExposures(question: SplitsQuestion): Promise<Exposures[]> {
  const { arm } = question
  const earlier = earlierEpochs(question)
  const side = `multiIf(first_arm.2 = ${arm.treatment}, 1, first_arm.2 = ${arm.control}, 0, 2)`
  const began = firstPlace('toUnixTimestamp64Milli(first_arm.1)', 'epoch', side)
  // By stage first: each row is the result of one insert and may contain one arm only.
  const byStage = `SELECT split, unit, epoch, ${question.isOfStages} AS counts, min(${began}) AS began,
      max(has(arms, ${arm.treatment})) AS in_treatment, max(has(arms, ${arm.control})) AS in_control
    FROM ${earlier === undefined ? question.rowsOf('exposures') : `exposures WHERE ${question.ofEnvironment} AND ${earlier}`}
    GROUP BY split, unit, epoch`
  const byUnit = `SELECT split, unit, minIf(began, counts) AS first, maxIf(in_treatment, counts) AS saw_treatment, maxIf(in_control, counts) AS saw_control,
      max(in_treatment AND in_control AND counts) AS has_crossed, max(in_treatment AND NOT counts) AS had_it
    FROM (${byStage}) GROUP BY split, unit HAVING max(counts)`
  const found = await question.read<Row>(
    `SELECT split, ${placeSql('first')} AS place, toFloat64(count()) AS units, toFloat64(sum(saw_treatment)) AS treatment,
      toFloat64(sum(saw_control)) AS control, toFloat64(sum(has_crossed)) AS crossed, toFloat64(sum(saw_treatment AND had_it)) AS again
    FROM (${byUnit}) GROUP BY split, place`,
  )
  return question.splits.map((split) => {
    const rows = found.filter((row) => row.split === split.split)
    const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0)
    const treatment = sum((row) => row.treatment)
    return {
      stages: stagesOf(split, rows),
      units: { treatment, control: sum(({ control }) => control) },
      crossed: sum(({ crossed }) => crossed),
      reexposed: firstEpochOf(split) > 1 && treatment > 0 ? sum(({ again }) => again) / treatment : undefined,
    }
  })
}

const firstEpochOf = ({ epochs }: Pick<ReadSplit, 'epochs'>) => Math.min(...epochs.map(({ epoch }) => epoch))

/** A condition on rows of the stages and of all earlier epochs; undefined if there are none. */
function earlierEpochs({ splits, bind, isOfStages }: SplitsQuestion): string | undefined {
  if (splits.every((split) => firstEpochOf(split) <= 1)) return undefined
  const known = splits.map(({ split }) => bind(split, 'UInt64')).join(', ')
  const firsts = splits.map((split) => bind(firstEpochOf(split), 'UInt32')).join(', ')
  return `split IN (${known}) AND (${isOfStages} OR epoch < transform(split, [${known}], [${firsts}], 0))`
}

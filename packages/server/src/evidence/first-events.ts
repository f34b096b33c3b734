// Who met something first, where: stage and arm of the first event of each unit in the whole rollout, for rare events, for
// first exposures, and for who was ever heard from.
import type { StageEvents } from '@telltale/core/statistics/event-share'
import type { ArmName } from '@telltale/core/statistics/sums'
import type { SplitQuestion } from './split-question.ts'

export interface Exposures {
  stages: StageEvents[]
  /** Units that saw the arm at any time; who moved counts in both. */
  units: Record<ArmName, number>
  /** Units that saw both arms inside one stage, which a sticky draw does not do. */
  crossed: number
}

interface FirstRow {
  measure: string
  epoch: number
  treatment: number
  control: number
}

export const counts = ({ arm }: SplitQuestion) =>
  `toFloat64(countIf(first.2 = ${arm.treatment})) AS treatment, toFloat64(countIf(first.2 = ${arm.control})) AS control`
export const firstOf = 'argMin((epoch, toString(arm)), (first_ts, epoch)) AS first'

/** By measure. */
export async function readFirstEvents(
  question: SplitQuestion,
  measures: readonly string[],
): Promise<Map<string, StageEvents[]>> {
  const wanted = [...new Set(measures)]
  if (wanted.length === 0) return new Map()
  const rows = question.rowsOf('unit_measures', `measure IN ${question.bind(wanted, 'Array(String)')}`)
  const found = await question.read<FirstRow>(
    `SELECT measure, first.1 AS epoch, ${counts(question)}
    FROM (SELECT measure, unit, ${firstOf} FROM ${rows} GROUP BY measure, unit) GROUP BY measure, epoch`,
  )
  return new Map(
    wanted.map((measure) => [
      measure,
      stagesOf(
        question,
        found.filter((row) => row.measure === measure),
      ),
    ]),
  )
}

/** What every page sends that was not stopped before it could. */
const signsOfLife = ['view', 'LCP', 'request']

/** Units by where they were first heard from, by something other than the exposure itself. */
export async function readHeard(question: SplitQuestion): Promise<StageEvents[]> {
  const rows = question.rowsOf('unit_measures', `measure IN ${question.bind(signsOfLife, 'Array(String)')}`)
  const found = await question.read<FirstRow>(
    `SELECT first.1 AS epoch, ${counts(question)} FROM (SELECT unit, ${firstOf} FROM ${rows} GROUP BY unit) GROUP BY epoch`,
  )
  return stagesOf(question, found)
}

interface ExposureRow extends FirstRow {
  saw_treatment: number
  saw_control: number
  crossed: number
}

export async function readExposures(question: SplitQuestion): Promise<Exposures> {
  const { arm } = question
  // First by stage: a row is what one insert brought, and may know one arm only.
  const byStage = `SELECT unit, epoch AS stage, min(first_ts) AS began, min(first_arm) AS earliest, groupUniqArrayArray(arms) AS seen
    FROM ${question.rowsOf('exposures')} GROUP BY unit, stage`
  const byUnit = `SELECT unit, argMin((stage, earliest.2), (began, stage)) AS first, groupUniqArrayArray(seen) AS all_seen,
    max(has(seen, ${arm.treatment}) AND has(seen, ${arm.control})) AS crossed FROM (${byStage}) GROUP BY unit`
  const found = await question.read<ExposureRow>(
    `SELECT first.1 AS epoch, ${counts(question)}, toFloat64(countIf(has(all_seen, ${arm.treatment}))) AS saw_treatment,
      toFloat64(countIf(has(all_seen, ${arm.control}))) AS saw_control, toFloat64(sum(crossed)) AS crossed
    FROM (${byUnit}) GROUP BY epoch`,
  )
  const sum = (of: (row: ExposureRow) => number) => found.reduce((all, row) => all + of(row), 0)
  return {
    stages: stagesOf(question, found),
    units: {
      treatment: sum(({ saw_treatment }) => saw_treatment),
      control: sum(({ saw_control }) => saw_control),
    },
    crossed: sum(({ crossed }) => crossed),
  }
}

function stagesOf(question: SplitQuestion, rows: readonly FirstRow[]): StageEvents[] {
  const stages = question.epochs.map(({ share }) => ({ treatment: 0, control: 0, share }))
  for (const { epoch, treatment, control } of rows) {
    const stage = stages[question.stageOf(epoch) ?? -1]
    if (stage !== undefined) Object.assign(stage, { treatment, control })
  }
  return stages
}

// Units with a disproportionate denominator: bots, test machines, one identity shared by many users. They are
// left out of both arms by a rule that is fixed in advance and uses only the denominator: above the cap of a
// unit's weight and above one hundredth of the total of both arms.
import { denominatorOf, isOncePerUnit, type Method, unitWeightOf } from '@telltale/core/guard/metric-method'
import { limits } from '@telltale/core/limits'
import type { ClusteredSums } from '@telltale/core/statistics/sums'
import { measureRows } from './own-events.ts'
import type { LeftOut, SplitQuestion } from './split-question.ts'

interface Row {
  measure: string
  unit: string
  epoch: number
  arm: string
}

/** Whether a metric has units to leave out; shares count each unit once anyway. */
export function isUneven(method: Method, { stages }: ClusteredSums): boolean {
  const uses = stages
    .flatMap(({ treatment, control }) => [treatment.use, control.use])
    .flatMap((use) => use ?? [])
  const all = uses.reduce((sum, use) => sum + use.all, 0)
  const largest = Math.max(0, ...uses.map((use) => use.largest))
  return isWeighed(method) && largest > unitWeightOf(method) && largest * limits.guardEvenUnits > all
}

/** By the denominators of these methods. A unit that is too large in one stage is left out of all stages. */
export async function findLeftOut(question: SplitQuestion, methods: readonly Method[]): Promise<LeftOut[]> {
  const weights = new Map(
    methods.filter(isWeighed).map((method) => [denominatorOf(method), unitWeightOf(method)]),
  )
  if (weights.size === 0) return []
  const { bind } = question
  const measures = [...weights.keys()]
  const cap = measures
    .map((measure) => `measure = ${bind(measure, 'String')}, ${weights.get(measure)}`)
    .join(', ')
  const rows = await question.read<Row>(
    `SELECT measure, toString(unit) AS unit, epoch, toString(arm) AS arm
    FROM (
      SELECT measure, unit, epoch, arm, many, sum(many) OVER (PARTITION BY measure) AS all
      FROM (
        SELECT toString(measure) AS measure, unit, epoch, arm, toFloat64(sum(n)) AS many
        FROM ${measureRows(question, measures)} GROUP BY measure, unit, epoch, arm))
    WHERE many > multiIf(${cap}, 0) AND many * ${limits.guardEvenUnits} > all
    ORDER BY many DESC, unit LIMIT ${limits.guardEvenUnits} BY measure`,
  )
  return measures.flatMap((measure) => {
    const found = rows.filter((row) => row.measure === measure)
    return found.length === 0 ? [] : [{ measure, units: found }]
  })
}

/** Adds the number of left-out units by stage and arm, and keeps the weights from before. */
export function noteLeftOut(
  question: SplitQuestion,
  { read, before, leftOut }: { read: ClusteredSums; before: ClusteredSums; leftOut: LeftOut | undefined },
): ClusteredSums {
  const units = leftOut?.units ?? []
  return {
    ...read,
    stages: read.stages.map((stage, place) => {
      const use = (arm: 'treatment' | 'control') => {
        const was = before.stages[place]?.[arm].use
        const here = units.filter(
          (unit) => question.stageOf(unit.epoch) === place && question.armOf(unit.arm) === arm,
        )
        return was && { ...was, leftOut: here.length }
      }
      return {
        treatment: { ...stage.treatment, use: use('treatment') },
        control: { ...stage.control, use: use('control') },
      }
    }),
  }
}

/** The largest unit of a total is that with the largest total: leaving it out would depend on the result. */
const isWeighed = (method: Method) => !isOncePerUnit(method) && method.kind !== 'total'

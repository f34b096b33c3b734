// A metric in parts of the people: by browser, device, country and version in one reading, and among all others. The rows are
// those of the roll-ups, made by the same SQL.
import { sliceFields } from '@telltale/core/contract/gap-evidence'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { limits } from '@telltale/core/limits'
import { type ArmName, noSums, type StageSums, type UnitSums } from '@telltale/core/statistics/sums'
import { bucketsBy, measuresBy, type SliceField } from './cut-by-slice.ts'
import type { EvidencePeriod } from './rows-of-arms.ts'
import type { SplitQuestion } from './split-question.ts'
import { columnsOf, measuresOf, wholeSums } from './unit-sums.ts'

export interface SliceSums {
  field: SliceField
  value: string
  part: StageSums[]
  rest: StageSums[]
}

interface Row {
  field: number
  slice: string
  epoch: number
  treated: number
  units: number
  n: number
  nn: number
  y: number
  yy: number
  ny: number
}

const combined = `(${sliceFields.map((field) => `toString(${field})`).join(', ')})`

/** `beyond`: of a percentile, the bucket above which a value counts as slow. */
export async function sumSlices(
  question: SplitQuestion,
  period: EvidencePeriod,
  { method, beyond }: Pick<JudgedMetric, 'method'> & { beyond: number },
): Promise<{ slices: SliceSums[]; tooFew: number }> {
  const parts = { ...period, by: 'who_', as: combined }
  const rows =
    method.kind === 'quantile'
      ? bucketsBy(question, parts, method.measure)
      : measuresBy(question, parts, measuresOf(method))
  const { n, y } =
    method.kind === 'quantile'
      ? { n: 'sum(c)', y: `sumIf(c, bucket > ${question.bind(beyond, 'UInt16')})` }
      : columnsOf(question, method, wholeSums(question))
  const found = await question.read<Row>(
    `SELECT part.1 AS field, part.2 AS slice, epoch, treated, toFloat64(count()) AS units, sum(n_) AS n, sum(n_ * n_) AS nn, sum(y_) AS y,
      sum(y_ * y_) AS yy, sum(n_ * y_) AS ny
    FROM (
      SELECT unit, epoch, arm = ${question.arm.treatment} AS treated, arrayJoin([${sliceFields.map((_, index) => `(${index}, who_.${index + 1})`).join(', ')}]) AS part,
        toFloat64(${n}) AS n_, toFloat64(${y}) AS y_
      FROM ${rows} GROUP BY unit, epoch, treated, who_)
    WHERE n_ > 0 GROUP BY field, slice, epoch, treated`,
  )
  return slicesOf(question, found)
}

function slicesOf({ epochs }: SplitQuestion, rows: readonly Row[]): { slices: SliceSums[]; tooFew: number } {
  const slices: SliceSums[] = []
  let tooFew = 0
  for (const [index, field] of sliceFields.entries()) {
    const own = rows.filter((row) => row.field === index)
    const sumsOf = (isIn: (slice: string) => boolean): StageSums[] =>
      epochs.map(({ epoch }) => {
        const of = (treated: number) =>
          own
            .filter((row) => row.epoch === epoch && row.treated === treated && isIn(row.slice))
            .reduce(add, noSums)
        return { treatment: of(1), control: of(0) }
      })
    const values = [...new Set(own.map(({ slice }) => slice))].map((value) => ({
      ...{ field, value },
      part: sumsOf((slice) => slice === value),
      rest: sumsOf((slice) => slice !== value),
    }))
    const isJudged = ({ part, rest }: SliceSums) => [part, rest].every(hasPeople)
    const largest = values.filter(isJudged).sort((one, other) => peopleIn(other.part) - peopleIn(one.part))
    slices.push(...largest.slice(0, limits.impactSlices))
    if (values.length > 1) tooFew += values.filter(({ part }) => !hasPeople(part)).length
  }
  return { slices, tooFew }
}

/** Somebody with two browsers counts in both. */
function add(one: UnitSums, { units, n, nn, y, yy, ny }: UnitSums): UnitSums {
  return {
    ...{ units: one.units + units, n: one.n + n, nn: one.nn + nn },
    ...{ y: one.y + y, yy: one.yy + yy, ny: one.ny + ny },
  }
}

const unitsIn = (stages: readonly StageSums[], arm: ArmName) =>
  stages.reduce((sum, stage) => sum + stage[arm].units, 0)
const peopleIn = (stages: readonly StageSums[]) => unitsIn(stages, 'treatment') + unitsIn(stages, 'control')
const hasPeople = (stages: readonly StageSums[]) =>
  Math.min(unitsIn(stages, 'treatment'), unitsIn(stages, 'control')) >= limits.evidenceSliceUnits

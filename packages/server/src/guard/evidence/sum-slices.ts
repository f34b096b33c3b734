// A metric by slice: browser, device, country and version in one statement, each against all other users. The
// roll-ups have each unit's results and its exposures have its properties, so no unit is in two slices of a
// field.
import { sliceFields } from '@telltale/core/contract/gap-evidence'
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import {
  isOfServers,
  type JudgedMetric,
  type Method,
  serverSession,
  unitWeightOf,
} from '@telltale/core/guard/metric-method'
import { limits } from '@telltale/core/limits'
import { type ArmName, noSums, type StageSums, type UnitSums } from '@telltale/core/statistics/sums'
import type { SliceField } from './cut-by-slice.ts'
import { bucketRows, measureRows } from './own-events.ts'
import { type EvidencePeriod, isMeasure, rowsOfArms } from './rows-of-arms.ts'
import type { SplitQuestion } from './split-question.ts'
import { columnsOf, measuresOf, wholeSums } from './unit-sums.ts'

interface SliceSums {
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

/** `beyond`: for a percentile, the bucket above which a value counts as slow. */
export async function sumSlices(
  question: SplitQuestion,
  period: EvidencePeriod,
  { method, beyond }: Pick<JudgedMetric, 'method'> & { beyond: number },
): Promise<{ slices: SliceSums[]; tooFew: number }> {
  const names = method.kind === 'quantile' ? [method.measure] : measuresOf(method)
  const rows = method.kind === 'quantile' ? bucketRows(question, names) : measureRows(question, names)
  const { n, y, weight } =
    method.kind === 'quantile'
      ? {
          n: 'sum(c)',
          y: `sumIf(c, bucket > ${question.bind(beyond, 'UInt16')})`,
          weight: unitWeightOf(method),
        }
      : columnsOf(question, method, wholeSums(question))
  const exposed = rowsOfArms(question, period, {
    columns: Object.fromEntries(sliceFields.map((field) => [`${field}_`, field])),
    conditions: [exposuresOf(question, method)],
  })
  const who = sliceFields.map((field) => `toString(any(${field}_))`).join(', ')
  const parts = sliceFields.map((_, index) => `(${index}, w.who.${index + 1})`).join(', ')
  const found = await question.read<Row>(
    `SELECT part.1 AS field, part.2 AS slice, epoch, treated, toFloat64(count()) AS units, sum(n_) AS n, sum(n_ * n_) AS nn, sum(y_) AS y,
      sum(y_ * y_) AS yy, sum(n_ * y_) AS ny
    FROM (
      SELECT m.epoch AS epoch, m.treated AS treated, m.n_ AS n_, m.y_ AS y_, arrayJoin([${parts}]) AS part
      FROM (
        SELECT unit, epoch, arm = ${question.arm.treatment} AS treated, toFloat64(${n}) AS whole, least(whole, ${weight}) AS n_, toFloat64(${y}) * n_ / whole AS y_
        FROM ${rows} GROUP BY unit, epoch, treated HAVING whole > 0) AS m
      GLOBAL INNER JOIN (SELECT unit, (${who}) AS who FROM (${exposed}) GROUP BY unit) AS w ON m.unit = w.unit)
    GROUP BY field, slice, epoch, treated`,
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
      field,
      value,
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

function add(one: UnitSums, { units, n, nn, y, yy, ny }: UnitSums): UnitSums {
  return {
    units: one.units + units,
    n: one.n + n,
    nn: one.nn + nn,
    y: one.y + y,
    yy: one.yy + yy,
    ny: one.ny + ny,
  }
}

/** Exposures that can have the slices: a custom event may come from a browser and from a server. */
function exposuresOf(question: SplitQuestion, method: Method): string {
  if (readEventMeasure(method.measure) !== undefined) return "kind = 'exposure'"
  return isMeasure(question, isOfServers(method) ? serverSession : 'session')
}

const unitsIn = (stages: readonly StageSums[], arm: ArmName) =>
  stages.reduce((sum, stage) => sum + stage[arm].units, 0)
const peopleIn = (stages: readonly StageSums[]) => unitsIn(stages, 'treatment') + unitsIn(stages, 'control')
const hasPeople = (stages: readonly StageSums[]) =>
  Math.min(unitsIn(stages, 'treatment'), unitsIn(stages, 'control')) >= limits.evidenceSliceUnits

// Quantiles in two readings: the histograms of all of them at once, and then, with the quantile of each arm known, how many
// values of each unit lie beyond it.
import { type Method, unitWeightOf } from '@telltale/core/guard/metric-method'
import { bucketMaximum } from '@telltale/core/statistics/buckets'
import {
  findQuantiles,
  type Quantiles,
  type StageHistograms,
} from '@telltale/core/statistics/quantile-effect'
import type { ArmName, ClusteredSums } from '@telltale/core/statistics/sums'
import { bucketRows } from './own-events.ts'
import type { ReadSplit, SplitsQuestion } from './split-question.ts'
import { readSumsOfSplits, type UnitColumns } from './unit-sums.ts'

export type QuantileMethod = Extract<Method, { kind: 'quantile' }>

export interface QuantileEvidence {
  quantiles: Quantiles | undefined
  beyond: ClusteredSums
}

interface HistogramRow {
  split: string
  /** The place of the measure in the list. */
  which: number
  epoch: number
  arm: string
  buckets: number[]
  counts: number[]
}

/** By split, in the order of the methods. */
export async function readQuantiles(
  question: SplitsQuestion,
  methods: readonly QuantileMethod[],
): Promise<QuantileEvidence[][]> {
  if (methods.length === 0) return question.splits.map(() => [])
  const { bind, arm } = question
  const measures = [...new Set(methods.map(({ measure }) => measure))]
  const rows = bucketRows(question, measures)
  const isOf = (measure: string) => `measure = ${bind(measure, 'String')}`
  const which = measures.map((measure, index) => `${isOf(measure)}, ${index}`).join(', ')
  const weights = measures
    .map(
      (measure, index) =>
        `which = ${index}, ${Math.max(...methods.map((method) => (method.measure === measure ? unitWeightOf(method) : 0)))}`,
    )
    .join(', ')
  const found = await question.read<HistogramRow>(
    `SELECT split, which, epoch, arm, groupArray(bucket) AS buckets, groupArray(count) AS counts
    FROM (
      SELECT split, which, epoch, arm, bucket, sum(many * weight) AS count
      FROM (
        SELECT split, multiIf(${which}, ${measures.length}) AS which, epoch, arm, groupArray(bucket) AS buckets, groupArray(c) AS counts,
          ${weightOf('sum(c)', `multiIf(${weights}, 1)`)} AS weight
        FROM ${rows} GROUP BY split, which, epoch, arm, unit)
      ARRAY JOIN buckets AS bucket, counts AS many GROUP BY split, which, epoch, arm, bucket)
    GROUP BY split, which, epoch, arm`,
  )
  const quantiles = question.splits.map((split) => {
    const here = found.filter((row) => row.split === split.split)
    return methods.map(({ measure, p }) =>
      findQuantiles(histogramsOf(split, here, measures.indexOf(measure)), p),
    )
  })
  const ends = (method: number, side: ArmName) =>
    lookUp(
      question,
      quantiles.map((each) => each[method]?.bucket[side] ?? 0),
      'UInt16',
    )
  const parts = (method: number, side: ArmName) =>
    lookUp(
      question,
      quantiles.map((each) => each[method]?.part[side] ?? 0),
      'Float64',
    )
  const columns = methods.map((method, place) => {
    const side = (of: typeof ends | typeof parts) =>
      `if(arm = ${arm.treatment}, ${of(place, 'treatment')}, ${of(place, 'control')})`
    return beyondQuantile(isOf(method.measure), {
      end: side(ends),
      part: side(parts),
      weight: unitWeightOf(method),
    })
  })
  const beyond = await readSumsOfSplits(question, { rows, columns, things: [] })
  return quantiles.map((each, split) =>
    each.map((one, method) => ({
      quantiles: one,
      beyond: beyond[split]?.sums[method]?.sums ?? { stages: [], shared: { treatment: [], control: [] } },
    })),
  )
}

/** What a row of a unit counts for, so that all of them together are no more than the cap. */
export const weightOf = (rows: string, cap: string | number) => `least(1., ${cap} / ${rows})`

/** Of the values of a unit those beyond a quantile, with the part of its bucket that is. */
export function beyondQuantile(
  isHere: string,
  { end, part, weight }: { end: string; part: string; weight: number },
): UnitColumns {
  return {
    n: `sumIf(c, ${isHere})`,
    y: `toFloat64(sumIf(c, ${isHere} AND bucket > ${end})) + sumIf(c * ${part}, ${isHere} AND bucket = ${end})`,
    weight,
  }
}

/** SQL for the number of each split, as it is looked up by row. */
function lookUp(
  { splits, bind }: SplitsQuestion,
  values: readonly number[],
  type: 'UInt16' | 'Float64',
): string {
  const [only = 0] = values
  if (values.length === 1) return bind(only, type)
  const known = splits.map(({ split }) => bind(split, 'UInt64')).join(', ')
  const zero = type === 'UInt16' ? '0' : '0.'
  return `transform(split, [${known}], [${values.map((value) => bind(value, type)).join(', ')}], ${zero})`
}

function histogramsOf(
  { epochs, armOf, stageOf }: ReadSplit,
  rows: readonly HistogramRow[],
  measure: number,
): StageHistograms[] {
  const zeros = () => new Array<number>(bucketMaximum + 1).fill(0)
  const stages = epochs.map(() => ({ treatment: zeros(), control: zeros() }))
  for (const row of rows) {
    const arm = armOf(row.arm)
    const stage = stages[stageOf(row.epoch) ?? -1]
    if (row.which !== measure || arm === undefined || stage === undefined) continue
    for (const [index, bucket] of row.buckets.entries()) stage[arm][bucket] = row.counts[index] ?? 0
  }
  return stages
}

export function isQuantileMethod(method: Method): method is QuantileMethod {
  return method.kind === 'quantile'
}

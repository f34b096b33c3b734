// Quantiles in two readings: the histograms of all of them at once, and then, with the quantile of each arm known, how many
// values of each unit lie beyond it.
import type { Method } from '@telltale/core/guard/metric-method'
import { bucketMaximum } from '@telltale/core/statistics/buckets'
import {
  findQuantiles,
  type Quantiles,
  type StageHistograms,
} from '@telltale/core/statistics/quantile-effect'
import type { ArmName, ClusteredSums } from '@telltale/core/statistics/sums'
import { bucketRows } from './own-events.ts'
import type { ReadSplit, SplitsQuestion } from './split-question.ts'
import { readSumsOfSplits } from './unit-sums.ts'

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
  const found = await question.read<HistogramRow>(
    `SELECT split, which, epoch, arm, groupArray(bucket) AS buckets, groupArray(count) AS counts
    FROM (
      SELECT split, multiIf(${which}, ${measures.length}) AS which, epoch, arm, bucket, toFloat64(sum(c)) AS count
      FROM ${rows} GROUP BY split, which, epoch, arm, bucket)
    GROUP BY split, which, epoch, arm`,
  )
  const quantiles = question.splits.map((split) => {
    const here = found.filter((row) => row.split === split.split)
    return methods.map(({ measure, p }) =>
      findQuantiles(histogramsOf(split, here, measures.indexOf(measure)), p),
    )
  })
  const ends = (method: number, side: ArmName) =>
    endOf(
      question,
      quantiles.map((each) => each[method]?.bucket[side] ?? 0),
    )
  const columns = methods.map(({ measure }, method) => {
    const end = `if(arm = ${arm.treatment}, ${ends(method, 'treatment')}, ${ends(method, 'control')})`
    return { n: `sumIf(c, ${isOf(measure)})`, y: `sumIf(c, ${isOf(measure)} AND bucket > ${end})` }
  })
  const beyond = await readSumsOfSplits(question, { rows, columns, things: [] })
  return quantiles.map((each, split) =>
    each.map((one, method) => ({
      quantiles: one,
      beyond: beyond[split]?.sums[method]?.sums ?? { stages: [], shared: { treatment: [], control: [] } },
    })),
  )
}

/** SQL for the bucket of each split, as it is looked up by row. */
function endOf({ splits, bind }: SplitsQuestion, buckets: readonly number[]): string {
  const [only = 0] = buckets
  if (buckets.length === 1) return bind(only, 'UInt16')
  const known = splits.map(({ split }) => bind(split, 'UInt64')).join(', ')
  return `transform(split, [${known}], [${buckets.map((bucket) => bind(bucket, 'UInt16')).join(', ')}], 0)`
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

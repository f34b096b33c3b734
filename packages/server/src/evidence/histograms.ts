// Quantiles in two readings: the histograms of all of them at once, and then, with the quantile of each arm known, how many
// values of each unit lie beyond it.
import type { JudgedMetric, Method } from '@telltale/core/guard/metric-method'
import { bucketMaximum } from '@telltale/core/statistics/buckets'
import {
  findQuantiles,
  type Quantiles,
  type StageHistograms,
} from '@telltale/core/statistics/quantile-effect'
import type { ClusteredSums } from '@telltale/core/statistics/sums'
import type { SplitQuestion } from './split-question.ts'
import { readUnitSums } from './unit-sums.ts'

export type QuantileMethod = Extract<Method, { kind: 'quantile' }>

export interface QuantileEvidence {
  quantiles: Quantiles | undefined
  beyond: ClusteredSums
}

interface BucketRow {
  measure: string
  epoch: number
  arm: string
  bucket: number
  count: number
}

/** In the order of the methods. */
export async function readQuantiles(
  question: SplitQuestion,
  methods: readonly QuantileMethod[],
): Promise<QuantileEvidence[]> {
  if (methods.length === 0) return []
  const measures = question.bind([...new Set(methods.map(({ measure }) => measure))], 'Array(String)')
  const rows = question.rowsOf('unit_buckets', `measure IN ${measures}`)
  const found = await question.read<BucketRow>(
    `SELECT measure, epoch, arm, bucket, toFloat64(sum(c)) AS count FROM ${rows} GROUP BY measure, epoch, arm, bucket`,
  )
  const quantiles = methods.map(({ measure, p }) => findQuantiles(histogramsOf(question, found, measure), p))
  const { bind, arm } = question
  const sums = await readUnitSums(
    question,
    rows,
    methods.map(({ measure }, index) => {
      const { treatment, control } = quantiles[index]?.bucket ?? { treatment: 0, control: 0 }
      const isOf = `measure = ${bind(measure, 'String')}`
      const end = `if(arm = ${arm.treatment}, ${bind(treatment, 'UInt16')}, ${bind(control, 'UInt16')})`
      return { n: `sumIf(c, ${isOf})`, y: `sumIf(c, ${isOf} AND bucket > ${end})` }
    }),
  )
  return methods.map((_, index) => ({
    quantiles: quantiles[index],
    beyond: sums[index]?.sums ?? { stages: [], shared: { treatment: [], control: [] } },
  }))
}

function histogramsOf(
  question: SplitQuestion,
  rows: readonly BucketRow[],
  measure: string,
): StageHistograms[] {
  const zeros = () => new Array<number>(bucketMaximum + 1).fill(0)
  const stages = question.epochs.map(() => ({ treatment: zeros(), control: zeros() }))
  for (const row of rows) {
    const arm = question.armOf(row.arm)
    const stage = stages[question.stageOf(row.epoch) ?? -1]
    if (row.measure === measure && arm !== undefined && stage !== undefined)
      stage[arm][row.bucket] = row.count
  }
  return stages
}

export function isQuantile(metric: JudgedMetric): metric is JudgedMetric & { method: QuantileMethod } {
  return metric.method.kind === 'quantile'
}

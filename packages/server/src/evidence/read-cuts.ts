// One metric of two arms, cut into several: instants of its past, or slices of its people. Each cut is judged like the whole,
// by the same sums, and all of them come from the same few statements.
import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { bucketMaximum } from '@telltale/core/statistics/buckets'
import type { StageEvents } from '@telltale/core/statistics/event-share'
import { findQuantiles, type StageHistograms } from '@telltale/core/statistics/quantile-effect'
import type { QuantileMethod } from './histograms.ts'
import { evidenceOf } from './read-evidence.ts'
import type { SplitQuestion } from './split-question.ts'
import { type CountedMethod, columnsOf, measuresOf, readUnitSums, type SumOf } from './unit-sums.ts'

export interface Cuts {
  count: number
  /** Each has what those before it have, too. */
  areGrowing: boolean
  /** Rows of measures, and of the histogram of one, for FROM. */
  measures(names: readonly string[]): string
  buckets(measure: string): string
  /** Over the rows of a unit. */
  sumOf(cut: number): SumOf
  /** Whether a row of the histogram is in a cut. */
  hasBucket(cut: number): string
  /** SQL for the first cut that a row of `buckets` is in, or a unit of `firstBy`: from 1, and 0 for none. */
  cutOf: string
  /** What tells units of different cuts apart, where one can be in several. */
  firstBy?: string
}

export async function readCuts(
  question: SplitQuestion,
  cuts: Cuts,
  { method }: JudgedMetric,
): Promise<MetricEvidence[]> {
  if (cuts.count === 0) return []
  return method.kind === 'quantile'
    ? readQuantileCuts(question, cuts, method)
    : readCountedCuts(question, cuts, method)
}

const each = <Item>(count: number, of: (cut: number) => Item) =>
  Array.from({ length: count }, (_, cut) => of(cut))

async function readCountedCuts(
  question: SplitQuestion,
  cuts: Cuts,
  method: CountedMethod,
): Promise<MetricEvidence[]> {
  const columns = each(cuts.count, (cut) => columnsOf(question, method, cuts.sumOf(cut)))
  const [sums, first] = await Promise.all([
    readUnitSums(question, cuts.measures(measuresOf(method)), columns),
    method.kind === 'rare-share' ? readFirstCuts(question, cuts, method.measure) : [],
  ])
  return sums.map((found, cut) => evidenceOf(method, found, first[cut] ?? []))
}

interface FirstRow {
  cut: number
  epoch: number
  treatment: number
  control: number
}

async function readFirstCuts(
  question: SplitQuestion,
  { count, areGrowing, measures, cutOf, firstBy }: Cuts,
  measure: string,
): Promise<StageEvents[][]> {
  const keys = ['unit', ...(firstBy === undefined ? [] : [firstBy])].join(', ')
  const rows = await question.read<FirstRow>(
    `SELECT ${cutOf} AS cut, first.1 AS epoch, ${counts(question)}
    FROM (SELECT ${keys}, min(first_ts) AS began, ${firstOf} FROM ${measures([measure])} GROUP BY ${keys}) GROUP BY cut, epoch`,
  )
  return each(count, (cut) =>
    question.epochs.map(({ epoch, share }) => {
      const here = rows.filter((row) => row.epoch === epoch && isIn(row.cut, cut, areGrowing))
      const sum = (arm: 'treatment' | 'control') => here.reduce((all, row) => all + row[arm], 0)
      return { treatment: sum('treatment'), control: sum('control'), share }
    }),
  )
}

const counts = ({ arm }: SplitQuestion) =>
  `toFloat64(countIf(first.2 = ${arm.treatment})) AS treatment, toFloat64(countIf(first.2 = ${arm.control})) AS control`
const firstOf = 'argMin((epoch, toString(arm)), (first_ts, epoch)) AS first'

const isIn = (found: number, cut: number, areGrowing: boolean) =>
  found > 0 && (areGrowing ? found <= cut + 1 : found === cut + 1)

interface BucketRow {
  cut: number
  epoch: number
  arm: string
  bucket: number
  count: number
}

async function readQuantileCuts(
  question: SplitQuestion,
  cuts: Cuts,
  { measure, p }: QuantileMethod,
): Promise<MetricEvidence[]> {
  const rows = cuts.buckets(measure)
  const found = await question.read<BucketRow>(
    `SELECT ${cuts.cutOf} AS cut, epoch, arm, bucket, toFloat64(sum(c)) AS count FROM ${rows} GROUP BY cut, epoch, arm, bucket`,
  )
  const quantiles = histogramsOf(question, cuts, found).map((histograms) => findQuantiles(histograms, p))
  const ends = (arm: 'treatment' | 'control') =>
    question.bind(
      quantiles.map((one) => one?.bucket[arm] ?? 0),
      'Array(UInt16)',
    )
  const [treatment, control] = [ends('treatment'), ends('control')]
  const sums = await readUnitSums(
    question,
    rows,
    each(cuts.count, (cut) => {
      const isHere = cuts.hasBucket(cut)
      const end = `if(arm = ${question.arm.treatment}, ${treatment}[${cut + 1}], ${control}[${cut + 1}])`
      return { n: `sumIf(c, ${isHere})`, y: `sumIf(c, ${isHere} AND bucket > ${end})` }
    }),
  )
  return sums.map(({ sums: beyond }, cut) => ({ kind: 'quantile', quantiles: quantiles[cut], beyond }))
}

function histogramsOf(
  question: SplitQuestion,
  { count, areGrowing }: Cuts,
  rows: readonly BucketRow[],
): StageHistograms[][] {
  const zeros = () => new Array<number>(bucketMaximum + 1).fill(0)
  const found = each(count, () => question.epochs.map(() => ({ treatment: zeros(), control: zeros() })))
  for (const row of rows) {
    const arm = question.armOf(row.arm)
    const stage = question.stageOf(row.epoch)
    if (arm === undefined || stage === undefined) continue
    for (const [cut, stages] of found.entries()) {
      const histogram = isIn(row.cut, cut, areGrowing) ? stages[stage]?.[arm] : undefined
      if (histogram) histogram[row.bucket] = (histogram[row.bucket] ?? 0) + row.count
    }
  }
  return found
}

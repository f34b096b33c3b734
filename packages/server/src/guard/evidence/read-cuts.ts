// One metric of two arms, cut into several parts: instants of its history, or slices of its users. Each cut is
// judged like the whole, by the same sums; a few statements read all of them.
import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import { type JudgedMetric, unitWeightOf } from '@telltale/core/guard/metric-method'
import { bucketMaximum } from '@telltale/core/statistics/buckets'
import type { StageEvents } from '@telltale/core/statistics/event-share'
import { findQuantiles, type StageHistograms } from '@telltale/core/statistics/quantile-effect'
import type { ArmName } from '@telltale/core/statistics/sums'
import { beyondQuantile, edgeOf, type QuantileMethod, weightOf } from './histograms.ts'
import { evidenceOf } from './read-evidence.ts'
import type { SplitQuestion } from './split-question.ts'
import {
  type CountedMethod,
  columnsOf,
  type FirstMet,
  measuresOf,
  readUnitSums,
  type SumOf,
} from './unit-sums.ts'

export interface Cuts {
  count: number
  /** Whether each cut includes those before it. */
  areGrowing: boolean
  /** Rows of measures for FROM, and of the histogram of one measure. */
  measures(names: readonly string[]): string
  buckets(measure: string): string
  /** Over the rows of a unit. */
  sumOf(cut: number): SumOf
  /** Whether a row of the histogram is in a cut. */
  hasBucket(cut: number): string
  /** SQL for the first cut that contains a row of `buckets`, or a unit of `firstBy`: from 1; 0 for none. */
  cutOf: string
  /** Distinguishes units of different cuts, if a unit can be in several. */
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
    readUnitSums(question, { rows: cuts.measures(measuresOf(method)), columns }),
    method.kind === 'rare-share' ? readFirstCuts(question, cuts, method.measure) : [],
  ])
  return sums.map((found, cut) => evidenceOf(method, found, first[cut]))
}

interface FirstRow {
  cut: number
  /** Since 1970. */
  day: number
  epoch: number
  treatment: number
  control: number
}

async function readFirstCuts(
  question: SplitQuestion,
  { count, areGrowing, measures, cutOf, firstBy }: Cuts,
  measure: string,
): Promise<FirstMet[]> {
  const keys = ['unit', ...(firstBy === undefined ? [] : [firstBy])].join(', ')
  const rows = await question.read<FirstRow>(
    `SELECT ${cutOf} AS cut, toUInt32(toDate(began)) AS day, first.1 AS epoch, ${counts(question)}
    FROM (SELECT ${keys}, min(first_ts) AS began, ${firstOf} FROM ${measures([measure])} GROUP BY ${keys}) GROUP BY cut, day, epoch`,
  )
  const stagesOf = (found: readonly FirstRow[]): StageEvents[] =>
    question.epochs.map(({ epoch, share }) => {
      const here = found.filter((row) => row.epoch === epoch)
      const sum = (arm: 'treatment' | 'control') => here.reduce((all, row) => all + row[arm], 0)
      return { treatment: sum('treatment'), control: sum('control'), share }
    })
  return each(count, (cut) => {
    const here = rows.filter((row) => isIn(row.cut, cut, areGrowing))
    const days = [...new Set(here.map(({ day }) => day))].sort((one, other) => one - other)
    return {
      stages: stagesOf(here),
      days: days.map((day) => ({ day, stages: stagesOf(here.filter((row) => row.day === day)) })),
    }
  })
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
  method: QuantileMethod,
): Promise<MetricEvidence[]> {
  const { measure, p } = method
  const weight = unitWeightOf(method)
  const rows = cuts.buckets(measure)
  const found = await question.read<BucketRow>(
    `SELECT cut, epoch, arm, bucket, sum(many * weight) AS count
    FROM (
      SELECT ${cuts.cutOf} AS cut, epoch, arm, groupArray(bucket) AS buckets, groupArray(c) AS counts, ${weightOf('sum(c)', weight)} AS weight
      FROM ${rows} GROUP BY cut, epoch, arm, unit)
    ARRAY JOIN buckets AS bucket, counts AS many GROUP BY cut, epoch, arm, bucket`,
  )
  const quantiles = histogramsOf(question, cuts, found).map((histograms) => findQuantiles(histograms, p))
  const boundOf = (arm: ArmName) =>
    question.bind(
      quantiles.map((one) => edgeOf(one, arm)),
      'Array(Float64)',
    )
  const edges = { treatment: boundOf('treatment'), control: boundOf('control') }
  const edgeAt = (cut: number) =>
    `if(arm = ${question.arm.treatment}, ${edges.treatment}[${cut + 1}], ${edges.control}[${cut + 1}])`
  const sums = await readUnitSums(question, {
    rows,
    columns: each(cuts.count, (cut) => beyondQuantile(cuts.hasBucket(cut), { edge: edgeAt(cut), weight })),
  })
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

// Quantiles in two reads: first the histograms of all units, then, with the quantile of each arm known, how
// many values of each unit exceed it.
import { type Method, unitWeightOf } from '@telltale/core/guard/metric-method'
import { bucketMaximum } from '@telltale/core/statistics/buckets'
import {
  findQuantiles,
  type Quantiles,
  type StageHistograms,
} from '@telltale/core/statistics/quantile-effect'
import type { ArmName, ClusteredSums } from '@telltale/core/statistics/sums'
import { adjustedBy, type HistoryOf, historyRows } from './history-rows.ts'
import { bucketRows } from './own-events.ts'
import type { ReadSplit, SplitsQuestion } from './split-question.ts'
import { armPlace, readSumsOfSplits, type UnitColumns } from './unit-sums.ts'

export type QuantileMethod = Extract<Method, { kind: 'quantile' }>

interface QuantileEvidence {
  quantiles: Quantiles | undefined
  beyond: ClusteredSums
  adjusted?: ClusteredSums | undefined
}

interface HistogramRow {
  split: string
  /** Stage and arm, times the number of measures, plus the index of the measure. */
  which: string
  buckets: number[]
  counts: number[]
}

/** A bucket and its count are one number: grouping and joining one array instead of two saves a quarter of the statement. */
const bucketBits = 16
const bucketMask = 2 ** bucketBits - 1

/** By split, in the order of the methods. */
export async function readQuantiles(
  question: SplitsQuestion,
  methods: readonly QuantileMethod[],
  historyOf: HistoryOf = () => undefined,
): Promise<QuantileEvidence[][]> {
  if (methods.length === 0) return question.splits.map(() => [])
  const { bind } = question
  const measures = [...new Set(methods.map(({ measure }) => measure))]
  const rows = bucketRows(question, measures)
  const isOf = (measure: string) => `measure = ${bind(measure, 'String')}`
  const which = measures.map((measure, index) => `${isOf(measure)}, ${index}`).join(', ')
  const weights = measures.map((measure) =>
    Math.max(...methods.map((method) => (method.measure === measure ? unitWeightOf(method) : 0))),
  )
  const found = await question.read<HistogramRow>(
    `SELECT split, which, groupArray(bucket) AS buckets, groupArray(count) AS counts
    FROM (
      SELECT split, which, toUInt16(bitAnd(one, ${bucketMask})) AS bucket, sum(bitShiftRight(one, ${bucketBits}) * weight) AS count
      FROM (
        SELECT split, ${armPlace(question)} * ${measures.length} + multiIf(${which}, 0) AS which, groupArray(bitShiftLeft(c, ${bucketBits}) + bucket) AS those,
          ${weightOf('sum(c)', `[${weights.join(', ')}][which % ${measures.length} + 1]`)} AS weight
        FROM ${rows} GROUP BY split, unit, which)
      ARRAY JOIN those AS one GROUP BY split, which, bucket)
    GROUP BY split, which`,
  )
  const quantiles = question.splits.map((split) => {
    const here = found.filter((row) => row.split === split.split)
    return methods.map(({ measure, p }) =>
      findQuantiles(histogramsOf(split, here, [measures.indexOf(measure), measures.length]), p),
    )
  })
  const edges = lookUpEdges(question, methods, quantiles)
  const columns = methods.map((method, place) =>
    beyondQuantile(isOf(method.measure), { edge: edges[place] ?? '0.', weight: unitWeightOf(method) }),
  )
  const history = historyRows(question, methods, historyOf)
  const beyond = await readSumsOfSplits(question, { rows, columns, things: [], history })
  return quantiles.map((each, split) =>
    methods.map((method, place) => {
      const found = beyond[split]?.sums[place]
      return {
        quantiles: each[place],
        beyond: found?.sums ?? { stages: [], shared: { treatment: [], control: [] } },
        adjusted: adjustedBy(historyOf(split, method), found),
      }
    }),
  )
}

/** The weight of a row of a unit: all rows of the unit together weigh at most the cap. */
export const weightOf = (rows: string, cap: string | number) => `least(1., ${cap} / ${rows})`

/**
 * Values above the edge exceed an arm's quantile. Buckets are whole numbers, so the quantile's own bucket
 * counts in part.
 */
export const edgeOf = (quantiles: Quantiles | undefined, arm: ArmName): number =>
  quantiles === undefined ? 0 : quantiles.bucket[arm] - quantiles.part[arm]

/** The values of a unit that exceed an edge. */
export function beyondQuantile(
  isHere: string,
  { edge, weight }: { edge: string; weight: number },
): UnitColumns {
  return {
    n: `sumIf(c, ${isHere})`,
    y: `sumIf(c * least(1., greatest(0., bucket - ${edge})), ${isHere})`,
    weight,
  }
}

/**
 * SQL for the edge of each method, looked up by row. Methods of different measures share a list: separate lists
 * and conditions for each made the scan take more than twice as long.
 */
function lookUpEdges(
  { splits, bind, arm }: SplitsQuestion,
  methods: readonly QuantileMethod[],
  quantiles: readonly (readonly (Quantiles | undefined)[])[],
): string[] {
  const measures = [...new Set(methods.map(({ measure }) => measure))]
  const known = splits.map(({ split }) => bind(split, 'UInt64')).join(', ')
  const which = measures.map((measure, index) => `measure = ${bind(measure, 'String')}, ${index}`).join(', ')
  const place = `(transform(split, [${known}], [${splits.map((_, index) => index).join(', ')}], 0) * 2 + (arm = ${arm.treatment})) * ${measures.length} + multiIf(${which}, 0) + 1`
  const ofMeasure = measures.map((measure) =>
    methods.flatMap((method, index) => (method.measure === measure ? [index] : [])),
  )
  const found: string[] = []
  for (let list = 0; ofMeasure.some((those) => list < those.length); list += 1) {
    const here = ofMeasure.map((those) => those[list])
    const values = quantiles.flatMap((ofSplit) =>
      (['control', 'treatment'] as const).flatMap((side) =>
        here.map((method) => edgeOf(method === undefined ? undefined : ofSplit[method], side)),
      ),
    )
    const edge = `${bind(values, 'Array(Float64)')}[${place}]`
    for (const method of here) if (method !== undefined) found[method] = edge
  }
  return found
}

function histogramsOf(
  { epochs, stageOf }: ReadSplit,
  rows: readonly HistogramRow[],
  [measure, measures]: [place: number, count: number],
): StageHistograms[] {
  const zeros = () => new Array<number>(bucketMaximum + 1).fill(0)
  const stages = epochs.map(() => ({ treatment: zeros(), control: zeros() }))
  for (const { which, buckets, counts } of rows) {
    const place = Math.floor(Number(which) / measures)
    const stage = stages[stageOf(Math.floor(place / 2)) ?? -1]
    if (Number(which) % measures !== measure || stage === undefined) continue
    const arm = place % 2 === 1 ? stage.treatment : stage.control
    for (const [index, bucket] of buckets.entries()) arm[bucket] = counts[index] ?? 0
  }
  return stages
}

export function isQuantileMethod(method: Method): method is QuantileMethod {
  return method.kind === 'quantile'
}

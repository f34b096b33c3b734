// The sums of several metrics from one statement: first a number of each metric for each unit, stage and arm, then their
// squares and products over units, those of one stage and those of units that were seen in two. The tables are read through
// their final grouping, so nothing depends on what has been merged.
import type { Method } from '@telltale/core/guard/metric-method'
import type { ClusteredSums, SharedSums, UnitSums } from '@telltale/core/statistics/sums'
import type { SplitQuestion } from './split-question.ts'

/** Of one metric: what its unit counts by, and what it counts; SQL over the rows of a unit. */
export interface UnitColumns {
  n: string
  y: string
}

export type CountedMethod = Exclude<Method, { kind: 'quantile' }>

/** SQL for the number, or the sum, of all rows of one measure that a unit has. */
export type SumOf = (column: 'n' | 'y', measure: string) => string

/** What every unit has of a measure. */
export const wholeSums =
  ({ bind }: Pick<SplitQuestion, 'bind'>): SumOf =>
  (column, measure) =>
    `sumIf(${column}, measure = ${bind(measure, 'String')})`

export function columnsOf(
  { bind }: Pick<SplitQuestion, 'bind'>,
  method: CountedMethod,
  sumOf: SumOf,
): UnitColumns {
  const rowsOf = (measure: string) => `toFloat64(${sumOf('n', measure)})`
  switch (method.kind) {
    case 'mean':
      return { n: rowsOf(method.measure), y: sumOf('y', method.measure) }
    case 'count': {
      const per = rowsOf(method.per)
      return { n: per, y: `least(${rowsOf(method.measure)}, ${bind(method.cap, 'Float64')} * ${per})` }
    }
    case 'share':
    case 'rare-share':
      return { n: `${rowsOf(method.of)} > 0`, y: `${rowsOf(method.measure)} > 0` }
  }
}

export function measuresOf(method: CountedMethod): string[] {
  if (method.kind === 'mean') return [method.measure]
  return [method.measure, method.kind === 'count' ? method.per : method.of]
}

export interface SumsOfMetric {
  sums: ClusteredSums
  /** Units with anything counted, once for each stage and arm. */
  unitsWithEvent: number
}

interface PairRow {
  arm: string
  earlier: number
  later: number
  units: number[]
  hits: number[]
  n: number[]
  y: number[]
  nn: number[]
  ny: number[]
  yn: number[]
  yy: number[]
}

/** In the order of the columns. */
export async function readUnitSums(
  question: SplitQuestion,
  rows: string,
  columns: readonly UnitColumns[],
): Promise<SumsOfMetric[]> {
  if (columns.length === 0) return []
  const found = await question.read<PairRow>(pairsOf(rows, columns))
  return columns.map((_, metric) => sumsOf(question, found, metric))
}

/** A unit without a denominator has no say: `y` of it is left out too. */
function pairsOf(rows: string, columns: readonly UnitColumns[]): string {
  const list = (of: (column: UnitColumns) => string) => `[${columns.map(of).join(', ')}]`
  const sum = (expression: string) =>
    `sumForEach(arrayMap((n1, y1, n2, y2) -> ${expression}, ns, ys, nl, yl))`
  return `
SELECT arm, earlier, later,
  ${sum('toFloat64(n1 > 0 AND n2 > 0)')} AS units, ${sum('toFloat64(y1 > 0)')} AS hits,
  ${sum('n1')} AS n, ${sum('y1')} AS y, ${sum('n1 * n2')} AS nn, ${sum('n1 * y2')} AS ny, ${sum('y1 * n2')} AS yn, ${sum('y1 * y2')} AS yy
FROM (
  SELECT arm, pair.1.1 AS earlier, pair.1.2 AS ns, pair.1.3 AS ys, pair.2.1 AS later, pair.2.2 AS nl, pair.2.3 AS yl
  FROM (
    SELECT arm, arrayJoin(arrayFlatten(arrayMap(a -> arrayMap(b -> (a, b), arrayFilter(b -> b.1 >= a.1, seen)), seen))) AS pair
    FROM (
      SELECT arm, unit, groupArray((epoch, ns, ys)) AS seen
      FROM (
        SELECT arm, epoch, unit, ${list(({ n }) => `toFloat64(${n})`)} AS ns,
          arrayMap((n, y) -> if(n > 0, y, 0.), ns, ${list(({ y }) => `toFloat64(${y})`)}) AS ys
        FROM ${rows} GROUP BY arm, epoch, unit)
      GROUP BY arm, unit)))
GROUP BY arm, earlier, later`
}

function sumsOf(question: SplitQuestion, rows: readonly PairRow[], metric: number): SumsOfMetric {
  const none = (): UnitSums => ({ units: 0, n: 0, y: 0, nn: 0, ny: 0, yy: 0 })
  const stages = question.epochs.map(() => ({ treatment: none(), control: none() }))
  const shared: { treatment: SharedSums[]; control: SharedSums[] } = { treatment: [], control: [] }
  let unitsWithEvent = 0

  for (const row of rows) {
    const arm = question.armOf(row.arm)
    const [earlier, later] = [question.stageOf(row.earlier), question.stageOf(row.later)]
    if (arm === undefined || earlier === undefined || later === undefined) continue
    const at = (values: readonly number[]) => values[metric] ?? 0
    const [nn, ny, yn, yy] = [at(row.nn), at(row.ny), at(row.yn), at(row.yy)]
    if (earlier !== later) {
      shared[arm].push({ earlier, later, nn, ny, yn, yy })
      continue
    }
    const stage = stages[earlier]
    if (stage !== undefined) stage[arm] = { units: at(row.units), n: at(row.n), y: at(row.y), nn, ny, yy }
    unitsWithEvent += at(row.hits)
  }
  return { sums: { stages, shared }, unitsWithEvent }
}

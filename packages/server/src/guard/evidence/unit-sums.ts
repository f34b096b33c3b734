// The sums of several metrics in one statement: first one number per metric for each unit, stage and arm, then
// squares and products over units, both of one stage and of units seen in two stages. The tables are read with
// their final grouping, so the result does not depend on merges.
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import { type Method, serverSession, unitWeightOf } from '@telltale/core/guard/metric-method'
import type { StageEvents } from '@telltale/core/statistics/event-share'
import { type ClusteredHistory, noHistory, type SharedHistory } from '@telltale/core/statistics/history'
import type { DayEvents } from '@telltale/core/statistics/late-harm'
import { type ClusteredSums, noSums, type SharedSums, type UnitSums } from '@telltale/core/statistics/sums'
import { daysOf, firstPlace, nowhere, placeOfThingSql, stagesOf } from './first-place.ts'
import type { ReadSplit, SplitQuestion, SplitsQuestion } from './split-question.ts'

/** Of one metric: a unit's denominator and numerator, as SQL over the rows of the unit. */
export interface UnitColumns {
  n: string
  y: string
  /** The cap of a unit's `n` in a stage; `y` is scaled in proportion. */
  weight: number
  /** Whether the largest unit is that with the largest `y`, not `n`. */
  byTotal?: boolean
}

export type CountedMethod = Exclude<Method, { kind: 'quantile' }>

/** SQL for the count, or the sum, of all rows of a measure that a unit has. */
export type SumOf = (column: 'n' | 'y', measure: string) => string

/** Sums over all rows of a unit. */
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
  const weight = unitWeightOf(method)
  switch (method.kind) {
    case 'mean':
      return { n: rowsOf(method.measure), y: sumOf('y', method.measure), weight }
    case 'count': {
      const [first, others = '0'] = denominatorsOf(method).map(rowsOf)
      const per = others === '0' ? `${first}` : `if(${first} > 0, ${first}, ${others})`
      return {
        n: per,
        y: `least(${rowsOf(method.measure)}, ${bind(method.cap, 'Float64')} * ${per})`,
        weight,
      }
    }
    case 'total': {
      const isOfSessions = method.each === 'session'
      const rows = denominatorsOf(method).map(rowsOf)
      const n = isOfSessions ? `greatest(${rows.join(', ')}, 0.)` : `${rows.join(' + ')} > 0`
      const total = method.sums === 'values' ? sumOf('y', method.measure) : rowsOf(method.measure)
      const cap = `${bind(method.cap, 'Float64')} * toFloat64(${n})`
      return { n, y: `greatest(least(${total}, ${cap}), -(${cap}))`, weight, byTotal: true }
    }
    case 'share':
    case 'rare-share':
      return {
        n: `${denominatorsOf(method).map(rowsOf).join(' + ')} > 0`,
        y: `${rowsOf(method.measure)} > 0`,
        weight,
      }
  }
}

/** A custom event may be sent by a server, for a user that no browser reported: its exposures count as well. */
function denominatorsOf(method: Exclude<CountedMethod, { kind: 'mean' }>): string[] {
  const own = method.kind === 'count' ? method.per : method.of
  const isCustom = readEventMeasure(method.measure) !== undefined
  return isCustom && own === 'session' ? [own, serverSession] : [own]
}

export function measuresOf(method: Method): string[] {
  if (method.kind === 'mean' || method.kind === 'quantile') return [method.measure]
  return [method.measure, ...denominatorsOf(method)]
}

export interface SumsOfMetric {
  sums: ClusteredSums
  /** Units with anything counted, once for each stage and arm. */
  unitsWithEvent: number
  /** If it was requested. */
  history?: ClusteredHistory | undefined
}

interface PairRow {
  split: string
  /** 1 in the treatment. */
  treated: number
  earlier: number
  later: number
  /** The number of the metric, from 1; 0 for rows without a metric. */
  metric: number
  units: number
  hits: number
  n: number
  y: number
  nn: number
  ny: number
  yn: number
  yy: number
  /** Before weights are capped. */
  all: number
  largest: number
  first: [places: number[], units: number[]]
  /** With history: sums with x, the history of a unit; m and z are n and y of the later stage. */
  x_all?: number
  xx?: number
  nx?: number
  mx?: number
  yx?: number
  zx?: number
}

/** In the order of the columns. */
export async function readUnitSums(
  question: SplitQuestion,
  { rows, columns }: Pick<SumsQuery, 'rows' | 'columns'>,
): Promise<SumsOfMetric[]> {
  if (columns.length === 0) return []
  const text = renderPairs(question, { rows, columns, things: [] }, '0')
  return sumsOf(question, await question.read<PairRow>(text), columns.length)
}

interface SumsOfSplit {
  /** In the order of the columns. */
  sums: SumsOfMetric[]
  /** Units by the place of their first encounter with each thing, in the order of the things. */
  first: FirstMet[]
}

export interface FirstMet {
  stages: StageEvents[]
  /** The same by day since 1970. */
  days: DayEvents[]
}

interface SumsQuery {
  rows: string
  columns: readonly UnitColumns[]
  /** Conditions on rows that have a `first_ts`. */
  things: readonly string[]
  /** A statement for `split`, `unit` and `xs`: the history of each unit, by column. */
  history?: string | undefined
}

/** In the order of the splits. */
export async function readSumsOfSplits(
  question: SplitsQuestion,
  requested: SumsQuery,
): Promise<SumsOfSplit[]> {
  const { columns, things } = requested
  if (columns.length + things.length === 0) return question.splits.map(() => ({ sums: [], first: [] }))
  const found = await question.read<PairRow>(renderPairs(question, requested, 'split'))
  return question.splits.map((split) => {
    const here = found.filter((row) => row.split === split.split)
    const counted = here.flatMap(({ first: [places, units] }) =>
      places.map((place, index) => ({ place, units: units[index] ?? 0 })),
    )
    return {
      sums: sumsOf(split, here, columns.length),
      first: things.map((_, thing) => ({
        stages: stagesOf(split, counted, thing),
        days: daysOf(split, counted, thing),
      })),
    }
  })
}

/**
 * The numbers of a unit are concatenated and then sliced by pairs of the stages in which it was seen. A unit
 * without a denominator is ignored, including its `y`. One of its pairs carries the place of its first
 * encounter.
 */
function renderPairs(
  question: Pick<SplitsQuestion, 'arm'>,
  { rows, columns, things, history }: SumsQuery,
  split: 'split' | '0',
): string {
  const each = (of: (column: UnitColumns) => string) =>
    array(
      columns.map((column) => `toFloat64(${of(column)})`),
      'Float64',
    )
  const firsts = things.map((thing) => {
    const at = `toUnixTimestamp64Milli(minIf(first_ts, ${thing}))`
    // `minIf` without a match returns 1970.
    return `if(${at} > 0, ${firstPlace(at, epochOf('place'), 'place % 2')}, ${nowhere})`
  })
  const places = `arrayMap(i -> ${placeOfThingSql('i', 'firsts[i]')}, arrayFilter(i -> firsts[i] < ${nowhere}, arrayEnumerate(firsts)))`
  const pairs =
    'arrayFlatten(arrayMap(i -> arrayMap(j -> (i, j), arrayEnumerate(seen)), arrayEnumerate(seen)))'
  const slice = (of: string, at: string) =>
    `arraySlice(${of}, (${at} - 1) * ${columns.length} + 1, ${columns.length})`
  const weights = [...new Set(columns.map(({ weight }) => weight))]
  const byTotal = columns.flatMap((column, index) => (column.byTotal === true ? [index + 1] : []))
  const whole = byTotal.length === 0 ? 'ns1' : `if(metric IN (${byTotal.join(', ')}), abs(y1), ns1)`
  // The number is 0 without a metric.
  const weight =
    weights.length > 1
      ? `${array(
          columns.map((column) => String(column.weight)),
          'Float64',
        )}[greatest(metric, 1)]`
      : String(weights[0] ?? 1)
  const has = history !== undefined
  const xs = has ? ', xs' : ''
  const x = has ? ', xs[metric] AS x' : ''
  const join = has
    ? `LEFT ANY JOIN (${history}) AS known ON known.split = counted.split_id AND known.unit = counted.unit`
    : ''
  const sumsOfX = has
    ? `, sumIf(x, n1 > 0 AND n2 > 0) AS x_all, sumIf(x * x, n1 > 0 AND n2 > 0) AS xx, sum(n1 * x) AS nx, sum(n2 * x) AS mx, sum(v1 * x) AS yx, sum(v2 * x) AS zx`
    : ''
  return `
SELECT split_id AS split, treated, earlier, later, metric, toFloat64(countIf(n1 > 0 AND n2 > 0)) AS units, toFloat64(countIf(v1 > 0)) AS hits,
  sum(n1) AS n, sum(v1) AS y, sum(n1 * n2) AS nn, sum(n1 * v2) AS ny, sum(v1 * n2) AS yn, sum(v1 * v2) AS yy${sumsOfX},
  sum(whole) AS all, max(whole) AS largest,
  sumMapIf(places, arrayMap(place -> 1., places), metric <= 1) AS first
FROM (
  SELECT split_id, treated, earlier, later, places, metric, ${whole} AS whole, least(ns1, ${weight}) AS n1, least(ns2, ${weight}) AS n2${x},
    if(ns1 > 0, y1 * n1 / ns1, 0.) AS v1, if(ns2 > 0, y2 * n2 / ns2, 0.) AS v2
  FROM (
    SELECT split_id${xs}, seen[pair.1] % 2 AS treated, ${epochOf('seen[pair.1]')} AS earlier, ${epochOf('seen[pair.2]')} AS later,
      if(pair = (1, 1), ${places}, []) AS places,
      ${slice('ns', 'pair.1')} AS n_earlier, ${slice('ys', 'pair.1')} AS y_earlier, ${slice('ns', 'pair.2')} AS n_later, ${slice('ys', 'pair.2')} AS y_later
    FROM (
      SELECT split_id, unit, firsts, seen, ns, ys${xs},
        arrayJoin(arrayFilter(p -> seen[p.1] <= seen[p.2] AND seen[p.1] % 2 = seen[p.2] % 2, ${pairs})) AS pair
      FROM (
        SELECT split_id, unit, minForEach(firsts) AS firsts, groupArray(place) AS seen, groupArrayArray(ns) AS ns, groupArrayArray(ys) AS ys
        FROM (
          SELECT ${split} AS split_id, unit, ${armPlace(question)} AS place,
            ${array(firsts, 'Int64')} AS firsts, ${each(({ n }) => n)} AS ns, ${each(({ y }) => y)} AS ys
          FROM ${rows} GROUP BY split_id, unit, place)
        GROUP BY split_id, unit) AS counted ${join}))
  LEFT ARRAY JOIN arrayEnumerate(n_earlier) AS metric, n_earlier AS ns1, y_earlier AS y1, n_later AS ns2, y_later AS y2)
GROUP BY split_id, treated, earlier, later, metric`
}

/** SQL for stage and arm as one number, which makes grouping by unit a quarter faster than by two columns. */
export const armPlace = ({ arm }: Pick<SplitsQuestion, 'arm'>) =>
  `(toUInt64(epoch) * 2 + (arm = ${arm.treatment}))`

const epochOf = (place: string) => `toUInt32(intDiv(${place}, 2))`

const array = (items: readonly string[], type: string) => `[${items.join(', ')}]::Array(${type})`

function sumsOf({ epochs, stageOf }: ReadSplit, rows: readonly PairRow[], metrics: number): SumsOfMetric[] {
  const none = (): UnitSums => ({ ...noSums, use: { all: 0, largest: 0, leftOut: 0 } })
  const found = Array.from({ length: metrics }, () => ({
    stages: epochs.map(() => ({ treatment: none(), control: none() })),
    shared: { treatment: [] as SharedSums[], control: [] as SharedSums[] },
    unitsWithEvent: 0,
    history: {
      stages: epochs.map(() => ({ treatment: noHistory, control: noHistory })),
      shared: { treatment: [] as SharedHistory[], control: [] as SharedHistory[] },
    },
  }))
  let hasHistory = false
  for (const { metric, treated, earlier: from, later: to, units, hits, ...row } of rows) {
    const arm = treated === 1 ? 'treatment' : 'control'
    const [earlier, later] = [stageOf(from), stageOf(to)]
    const sums = found[metric - 1]
    if (sums === undefined || earlier === undefined || later === undefined) continue
    const { x_all: x, xx = 0, nx = 0, mx = 0, yx = 0, zx = 0 } = row
    if (x !== undefined) {
      hasHistory = true
      const known = sums.history.stages[earlier]
      if (earlier !== later) sums.history.shared[arm].push({ earlier, later, x, xx, nx, mx, yx, zx })
      else if (known !== undefined) known[arm] = { x, xx, nx, yx }
    }
    if (earlier !== later) {
      const { nn, ny, yn, yy } = row
      sums.shared[arm].push({ earlier, later, units, nn, ny, yn, yy })
      continue
    }
    const stage = sums.stages[earlier]
    const { n, y, nn, ny, yy, all, largest } = row
    if (stage !== undefined) stage[arm] = { units, n, y, nn, ny, yy, use: { all, largest, leftOut: 0 } }
    sums.unitsWithEvent += hits
  }
  return found.map(({ stages, shared, unitsWithEvent, history }) => ({
    sums: { stages, shared },
    unitsWithEvent,
    ...(hasHistory && { history }),
  }))
}

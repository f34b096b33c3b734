// The evidence of all guarded metrics in every slice of users, and among all others: a few statements for all of them.
// Units are folded by their combination of values first, so that no unit is read once for each of its slices.

import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import { isOfServers, type JudgedMetric, unitWeightOf } from '@telltale/core/guard/metric-method'
import { type SearchedSlice, type Slice, type SliceSearch, sliceAttributes } from '@telltale/core/guard/slice'
import { limits } from '@telltale/core/limits'
import { narrowing } from '@telltale/core/narrow-limits'
import { type ArmName, noSums, type StageSums, type UnitSums } from '@telltale/core/statistics/sums'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { beyondQuantile, isQuantileMethod } from './histograms.ts'
import { bucketRows, measureRows } from './own-events.ts'
import { isMeasure, rowsOfArms } from './rows-of-arms.ts'
import { type ComparedArms, questionOfSplit, type SplitQuestion } from './split-question.ts'
import { columnsOf, measuresOf, type UnitColumns, wholeSums } from './unit-sums.ts'

interface Searching {
  metrics: readonly JudgedMetric[]
  /** Of percentiles, in the order of the metrics: values above this bucket are slow. */
  edges: readonly (number | undefined)[]
  /** One more attribute whose values are slices. */
  attribute: string | undefined
  /** Slices that are read however small they are. */
  known: readonly Slice[]
  now: Date
}

/** Values of one attribute. */
interface Field {
  attribute: string
  /** As SQL over an event. */
  column: string
  values: string[]
}

/** What all statements of a search share. */
interface Source extends Pick<Searching, 'metrics' | 'edges' | 'now'> {
  ask: () => SplitQuestion
  fields: readonly Field[]
}

const hour = 3_600_000

/** Empty if no slice has enough users in both arms. */
export async function readSlices(
  telemetry: Pick<Telemetry, 'read'>,
  arms: ComparedArms,
  { attribute, known, ...searching }: Searching,
): Promise<SliceSearch> {
  const ask = () => questionOfSplit(telemetry, arms)
  const open: Source = { ...searching, ask, fields: fieldsOf(attribute) }
  const sizes = await readSizes(open)
  const fields = open.fields.map((field) => ({ ...field, values: valuesOf(field, sizes, known) }))
  const source = { ...open, fields: fields.filter(({ values }) => values.length > 0) }
  if (source.fields.length === 0) return { users: 0, slices: [] }
  const [events, sums, slow] = await Promise.all([readEvents(source), readSums(source), readSlow(source)])
  const both = (of: readonly Size[]) => of.reduce((sum, { units }) => sum + units, 0)
  const first = source.fields[0]?.attribute
  const slices = source.fields.flatMap((field, place) =>
    field.values.map((value): SearchedSlice => {
      const evidence = (isIn: (slice: string) => boolean) =>
        source.metrics.map((metric, index) =>
          evidenceOf(source, { metric, index, place, isIn }, { events, sums, slow, sizes }),
        )
      return {
        slice: { attribute: field.attribute, value },
        users: both(sizes.filter((one) => one.attribute === field.attribute && one.slice === value)),
        inside: evidence((slice) => slice === value),
        outside: evidence((slice) => slice !== value),
      }
    }),
  )
  return { users: both(sizes.filter((one) => one.attribute === first)), slices }
}

function fieldsOf(attribute: string | undefined): Field[] {
  const columns = Object.entries(sliceAttributes).map(([column, name]) => ({
    attribute: name as string,
    column,
  }))
  const isNamed =
    attribute !== undefined && !attribute.includes('=') && !columns.some((one) => one.attribute === attribute)
  return [...columns, ...(isNamed ? [{ attribute, column: '' }] : [])].map((field) => ({
    ...field,
    values: [],
  }))
}

interface Size {
  attribute: string
  slice: string
  treated: number
  units: number
}

/** Users of both arms by value. */
async function readSizes(source: Source): Promise<Size[]> {
  const question = source.ask()
  const found = await question.read<{ field: number; slice: string; treated: number; units: number }>(
    `SELECT part.1 AS field, part.2 AS slice, treated_ AS treated, toFloat64(count()) AS units
    FROM (SELECT treated_, arrayJoin(arrayZip(range(${source.fields.length}), who)) AS part FROM (${usersOf(question, source)}))
    GROUP BY field, slice, treated HAVING units >= ${smallest} OR slice = ''`,
  )
  return found.flatMap(({ field, ...row }) => {
    const attribute = source.fields[field]?.attribute
    return attribute === undefined ? [] : [{ ...row, attribute }]
  })
}

/** Below that, a value is neither searched nor counted. */
const smallest = 5

/** Of each unit: its arm, and its values at its first exposure. */
function usersOf(question: SplitQuestion, { fields, metrics, now }: Source): string {
  const { bind } = question
  const isServers = metrics.every(({ method }) => isOfServers(method))
  const columns = fields.map(({ attribute, column }, index): [string, string] => [
    `value_${index}`,
    column === '' ? `attrs[${bind(attribute, 'String')}]` : `toString(${column})`,
  ])
  const exposed = rowsOfArms(
    question,
    { from: question.since ?? 0, to: now.getTime() + hour },
    {
      columns: Object.fromEntries(columns),
      conditions: [isServers ? "kind = 'exposure'" : isMeasure(question, 'session')],
    },
  )
  const values = columns.map(([name], index) => {
    const first = `argMin(${name}, at_)`
    const known = fields[index]?.values ?? []
    return known.length === 0
      ? first
      : `if(has(${bind(known, 'Array(String)')}, ${first} AS f${index}), f${index}, '')`
  })
  return `SELECT unit, argMin(treated, at_) AS treated_, [${values.join(', ')}] AS who FROM (${exposed}) GROUP BY unit`
}

/** Those with enough users, the largest first, and those that are searched already. */
function valuesOf({ attribute }: Field, sizes: readonly Size[], known: readonly Slice[]): string[] {
  const own = sizes.filter((one) => one.attribute === attribute && one.slice !== '')
  const units = (value: string, treated: number) =>
    own.find(({ slice, treated: side }) => slice === value && side === treated)?.units ?? 0
  const enough = [...new Set(own.map(({ slice }) => slice))]
    .filter((value) => Math.min(units(value, 0), units(value, 1)) >= limits.evidenceSliceUnits)
    .sort((one, other) => units(other, 0) + units(other, 1) - units(one, 0) - units(one, 1))
    .slice(0, narrowing.values)
  const before = known.filter((slice) => slice.attribute === attribute).map(({ value }) => value)
  return [...new Set([...enough, ...before])]
}

interface EventRow {
  field: number
  slice: string
  /** Of each metric: stage and arm of a unit's first event; 0 and 1: it had none. */
  places: number[]
  units: number
}

const isShare = ({ method }: JudgedMetric) => method.kind === 'share' || method.kind === 'rare-share'
const isSlow = ({ method }: JudgedMetric) => isQuantileMethod(method)
const isSum = (metric: JudgedMetric) => !isShare(metric) && !isSlow(metric)

/** Of shares: units by the stage and arm of their first event. */
async function readEvents(source: Source): Promise<EventRow[]> {
  const metrics = source.metrics.filter(isShare)
  if (metrics.length === 0) return []
  const question = source.ask()
  const names = metrics.map(({ method }) => method.measure)
  const rows = measureRows(question, [...new Set(names)])
  const places = names.map(
    (name) =>
      `argMinIf(toFloat64(epoch * 2 + (arm = ${question.arm.treatment})), (first_ts, epoch), measure = ${question.bind(name, 'String')} AND n > 0)`,
  )
  return question.read<EventRow>(
    `SELECT part.1 AS field, part.2 AS slice, places, toFloat64(sum(many)) AS units
    FROM (
      SELECT arrayJoin(arrayZip(range(${source.fields.length}), who)) AS part, places, many
      FROM (
        SELECT w.who AS who, h.places AS places, count() AS many
        FROM (SELECT unit, [${places.join(', ')}] AS places FROM ${rows} GROUP BY unit) AS h
        GLOBAL INNER JOIN (${usersOf(question, source)}) AS w ON h.unit = w.unit
        GROUP BY who, places))
    GROUP BY field, slice, places`,
  )
}

interface SumRow {
  field: number
  slice: string
  epoch: number
  treated: number
  units: number[]
  n: number[]
  nn: number[]
  y: number[]
  yy: number[]
  ny: number[]
}

async function readSums(source: Source): Promise<SumRow[]> {
  const metrics = source.metrics.filter(isSum)
  if (metrics.length === 0) return []
  const question = source.ask()
  const columns = metrics.flatMap(({ method }) =>
    isQuantileMethod(method) ? [] : [columnsOf(question, method, wholeSums(question))],
  )
  const measures = [...new Set(metrics.flatMap(({ method }) => measuresOf(method)))]
  return readColumns(question, source, { rows: measureRows(question, measures), columns })
}

/** Of percentiles: how many values are slower than the control's percentile. */
async function readSlow(source: Source): Promise<SumRow[]> {
  const metrics = source.metrics.flatMap((metric, index) => (isSlow(metric) ? [{ metric, index }] : []))
  if (metrics.length === 0) return []
  const question = source.ask()
  const columns = metrics.map(({ metric: { method }, index }) =>
    beyondQuantile(`measure = ${question.bind(method.measure, 'String')}`, {
      edge: question.bind(source.edges[index] ?? 0, 'Float64'),
      weight: unitWeightOf(method),
    }),
  )
  const measures = [...new Set(metrics.map(({ metric }) => metric.method.measure))]
  return readColumns(question, source, { rows: bucketRows(question, measures), columns })
}

/** Sums over units by slice, stage and arm, one of each for every metric. */
function readColumns(
  question: SplitQuestion,
  source: Source,
  { rows, columns }: { rows: string; columns: readonly UnitColumns[] },
): Promise<SumRow[]> {
  const list = (of: (column: UnitColumns) => string) => `[${columns.map(of).join(', ')}]::Array(Float64)`
  const names = ['units', 'n', 'nn', 'y', 'yy', 'ny']
  const folded = names.map((name) => `sumForEach(${name}_) AS ${name}`).join(', ')
  return question.read<SumRow>(
    `SELECT part.1 AS field, part.2 AS slice, epoch, treated, ${folded}
    FROM (
      SELECT arrayJoin(arrayZip(range(${source.fields.length}), who)) AS part, epoch, treated, ${names.map((name) => `${name}_`).join(', ')}
      FROM (
        SELECT w.who AS who, m.epoch AS epoch, m.treated AS treated, sumForEach(arrayMap(x -> toFloat64(x > 0), m.ns)) AS units_, sumForEach(m.ns) AS n_,
          sumForEach(arrayMap(x -> x * x, m.ns)) AS nn_, sumForEach(m.vs) AS y_, sumForEach(arrayMap(x -> x * x, m.vs)) AS yy_,
          sumForEach(arrayMap((x, z) -> x * z, m.ns, m.vs)) AS ny_
        FROM (
          SELECT unit, epoch, treated, arrayMap((x, c) -> least(x, c), wholes, ${list(({ weight }) => String(weight))}) AS ns,
            arrayMap((z, x, w) -> if(w > 0, z * x / w, 0.), values, ns, wholes) AS vs
          FROM (
            SELECT unit, epoch, arm = ${question.arm.treatment} AS treated, ${list(({ n }) => `toFloat64(${n})`)} AS wholes, ${list(({ y }) => `toFloat64(${y})`)} AS values
            FROM ${rows} GROUP BY unit, epoch, treated)) AS m
        GLOBAL INNER JOIN (${usersOf(question, source)}) AS w ON m.unit = w.unit
        GROUP BY who, epoch, treated))
    GROUP BY field, slice, epoch, treated`,
  )
}

interface Read {
  events: readonly EventRow[]
  sums: readonly SumRow[]
  slow: readonly SumRow[]
  sizes: readonly Size[]
}

interface Part {
  metric: JudgedMetric
  /** Of the metric. */
  index: number
  /** Of the field. */
  place: number
  isIn(slice: string): boolean
}

function evidenceOf(
  { ask, metrics, fields }: Source,
  { metric, index, place, isIn }: Part,
  { events, sums, slow, sizes }: Read,
): MetricEvidence {
  const { epochs } = ask()
  const among = (is: (metric: JudgedMetric) => boolean) => metrics.slice(0, index).filter(is).length
  const isHere = (row: { field: number; slice: string }) => row.field === place && isIn(row.slice)
  if (!isShare(metric)) {
    const own = isSlow(metric) ? among(isSlow) : among(isSum)
    const rows = (isSlow(metric) ? slow : sums).filter(isHere)
    const stages = epochs.map(({ epoch }): StageSums => {
      const of = (treated: number) =>
        rows
          .filter((row) => row.epoch === epoch && row.treated === treated)
          .reduce((sum, row) => addSums(sum, row, own), noSums)
      return { treatment: of(1), control: of(0) }
    })
    return { kind: 'ratio', sums: { stages, shared: { treatment: [], control: [] } } }
  }
  const own = among(isShare)
  const rows = events.filter(isHere)
  const met = (of: number) =>
    rows.reduce((sum, { places, units }) => sum + (places[own] === of ? units : 0), 0)
  const attribute = fields[place]?.attribute
  const units = (arm: ArmName) =>
    sizes
      .filter((one) => one.attribute === attribute && one.treated === Number(arm === 'treatment'))
      .reduce((sum, one) => sum + (isIn(one.slice) ? one.units : 0), 0)
  return {
    kind: 'events',
    stages: epochs.map(({ epoch, share }) => ({
      ...{ treatment: met(epoch * 2 + 1), control: met(epoch * 2), share },
    })),
    units: { treatment: units('treatment'), control: units('control') },
  }
}

function addSums(sum: UnitSums, row: SumRow, metric: number): UnitSums {
  const of = (values: readonly number[]) => values[metric] ?? 0
  return {
    units: sum.units + of(row.units),
    n: sum.n + of(row.n),
    nn: sum.nn + of(row.nn),
    y: sum.y + of(row.y),
    yy: sum.yy + of(row.yy),
    ny: sum.ny + of(row.ny),
  }
}

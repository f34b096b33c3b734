// Metrics by browser, device, country or version, from raw events, because the roll-ups have no such columns.
// The rows are built by the SQL of the roll-ups.
import type { sliceFields } from '@telltale/core/contract/gap-evidence'
import { readEventMeasure } from '@telltale/core/guard/event-measure'
import { bucketsOf } from '../../platform/engines/clickhouse/schema/unit-buckets.ts'
import { measuresOf } from '../../platform/engines/clickhouse/schema/unit-measures.ts'
import { filteredMeasures, isFiltered, ownBuckets, withoutLeftOut } from './own-events.ts'
import type { Cuts } from './read-cuts.ts'
import type { SplitQuestion } from './split-question.ts'

export type SliceField = (typeof sliceFields)[number]

export interface SlicesOptions {
  by: SliceField
  /** Milliseconds since 1970; `to` is exclusive. */
  from: number
  to: number
}

export function cutBySlice(
  question: SplitQuestion,
  requested: SlicesOptions,
  values: readonly string[],
): Cuts {
  const { bind } = question
  const slices = bind(values, 'Array(String)')
  const isHere = (cut: number) => `${requested.by} = ${slices}[${cut + 1}]`
  return {
    count: values.length,
    areGrowing: false,
    measures: (names) => withoutLeftOut(question, measuresBy(question, requested, names)),
    buckets: (measure) => withoutLeftOut(question, bucketsBy(question, requested, measure)),
    sumOf: (cut) => (column, measure) =>
      `sumIf(${column}, measure = ${bind(measure, 'String')} AND ${isHere(cut)})`,
    hasBucket: isHere,
    cutOf: `toUInt32(indexOf(${slices}, toString(${requested.by})))`,
    firstBy: requested.by,
  }
}

/** The values with the most units that have any of the measures. */
export async function findSlices(
  question: SplitQuestion,
  requested: SlicesOptions,
  { measures, limit }: { measures: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await question.read<{ value: string }>(
    `SELECT toString(${requested.by}) AS value FROM ${measuresBy(question, requested, measures)}
    GROUP BY value ORDER BY uniqExact(unit) DESC, value LIMIT ${limit}`,
  )
  return rows.map(({ value }) => value)
}

interface Parts extends Pick<SlicesOptions, 'from' | 'to'> {
  by: string
  /** The SQL expression, if it is not a column. */
  as?: string
}

/** Rows of measures for FROM, with the slice in place of the environment. */
function measuresBy(question: SplitQuestion, parts: Parts, names: readonly string[]): string {
  const { bind, ofArms } = question
  const { by, as } = parts
  const plain = names.filter((name) => !isFiltered(name))
  const rows = measuresOf(`(${eventsOf(question, parts, plain)})`, by)
  const counted = `(${rows}) WHERE ${ofArms} AND measure IN ${bind(plain, 'Array(String)')}`
  const filtered = names.filter(isFiltered)
  if (filtered.length === 0) return counted
  const conditions = within(question, parts)
  const own = filtered.map((name) => filteredMeasures(question, name, { by, as, conditions }))
  const columns = `${by}, split, measure, epoch, arm, unit, n, y, first_ts`
  return `(${[`SELECT ${columns} FROM ${counted}`, ...own].join(' UNION ALL ')})`
}

/** The same for the histogram of one measure. */
function bucketsBy(question: SplitQuestion, parts: Parts, measure: string): string {
  const { by, as } = parts
  if (readEventMeasure(measure) !== undefined)
    return `(${ownBuckets(question, measure, { by, as, conditions: within(question, parts) })})`
  const rows = bucketsOf(`(${eventsOf(question, parts, [measure])})`, by)
  return `(${rows}) WHERE ${question.ofArms} AND measure = ${question.bind(measure, 'String')}`
}

function within({ bind }: SplitQuestion, { from, to }: Pick<Parts, 'from' | 'to'>): string[] {
  const at = (instant: number) => `fromUnixTimestamp64Milli(${bind(instant, 'Int64')})`
  return [`ts >= ${at(from)}`, `ts < ${at(to)}`]
}

function eventsOf(question: SplitQuestion, parts: Parts, names: readonly string[]): string {
  const kinds = question.bind([...new Set(names.map(kindOf))], 'Array(String)')
  const more = parts.as === undefined ? '' : `, ${parts.as} AS ${parts.by}`
  return `SELECT *${more} FROM ${question.eventsOf(...within(question, parts), `kind IN ${kinds}`)}`
}

const kinds: Record<string, string> = {
  view: 'view',
  session: 'exposure',
  error: 'error',
  unhandled_error: 'error',
  long_frame: 'long_frame',
  request: 'resource',
  failed_request: 'resource',
  server_session: 'exposure',
  server_error: 'error',
  server_request: 'resource',
  server_failed_request: 'resource',
}

/** The kind of event that a measure counts. */
function kindOf(measure: string): string {
  if (measure.startsWith('custom:')) return 'custom'
  if (measure.endsWith('_click')) return 'action'
  return kinds[measure] ?? 'vital'
}

// Browsers, devices, countries or versions apart, from the events themselves: the roll-ups don't know them. The rows are those
// of the roll-ups, made by the same SQL.
import type { sliceFields } from '@telltale/core/contract/gap-evidence'
import { unitBucketsView } from '../engines/clickhouse/schema/unit-buckets.ts'
import { unitMeasuresView } from '../engines/clickhouse/schema/unit-measures.ts'
import type { Cuts } from './read-cuts.ts'
import type { SplitQuestion } from './split-question.ts'

export type SliceField = (typeof sliceFields)[number]

export interface SlicesAsked {
  by: SliceField
  /** Milliseconds since 1970; `to` is not part of it. */
  from: number
  to: number
}

export function cutBySlice(question: SplitQuestion, asked: SlicesAsked, values: readonly string[]): Cuts {
  const { bind } = question
  const slices = bind(values, 'Array(String)')
  const isHere = (cut: number) => `${asked.by} = ${slices}[${cut + 1}]`
  return {
    count: values.length,
    areGrowing: false,
    measures: (names) => measuresBySlice(question, asked, names),
    buckets: (measure) => {
      const rows = unitBucketsView.select(`(${eventsOf(question, asked, [measure])})`, asked.by)
      return `(${rows}) WHERE ${ofSplit(question)} AND measure = ${bind(measure, 'String')}`
    },
    sumOf: (cut) => (column, measure) =>
      `sumIf(${column}, measure = ${bind(measure, 'String')} AND ${isHere(cut)})`,
    hasBucket: isHere,
    cutOf: `toUInt32(indexOf(${slices}, toString(${asked.by})))`,
    firstBy: asked.by,
  }
}

/** The values with the most units that have any of the measures. */
export async function findSlices(
  question: SplitQuestion,
  asked: SlicesAsked,
  { measures, limit }: { measures: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await question.read<{ value: string }>(
    `SELECT toString(${asked.by}) AS value FROM ${measuresBySlice(question, asked, measures)}
    GROUP BY value ORDER BY uniqExact(unit) DESC, value LIMIT ${limit}`,
  )
  return rows.map(({ value }) => value)
}

function measuresBySlice(question: SplitQuestion, asked: SlicesAsked, names: readonly string[]): string {
  const rows = unitMeasuresView.select(`(${eventsOf(question, asked, names)})`, asked.by)
  return `(${rows}) WHERE ${ofSplit(question)} AND measure IN ${question.bind(names, 'Array(String)')}`
}

export function eventsOf(
  { bind, eventsOf: rows }: SplitQuestion,
  { from, to }: Pick<SlicesAsked, 'from' | 'to'>,
  names: readonly string[],
): string {
  const at = (instant: number) => `fromUnixTimestamp64Milli(${bind(instant, 'Int64')})`
  const kinds = bind([...new Set(names.map(kindOf))], 'Array(String)')
  return `SELECT * FROM ${rows(`ts >= ${at(from)}`, `ts < ${at(to)}`, `kind IN ${kinds}`)}`
}

export function ofSplit({ bind, split, epochs, arm }: SplitQuestion): string {
  const stages = bind(
    epochs.map(({ epoch }) => epoch),
    'Array(UInt32)',
  )
  return `split = ${bind(split, 'UInt64')} AND epoch IN ${stages} AND arm IN (${arm.treatment}, ${arm.control})`
}

const kinds: Record<string, string> = {
  view: 'view',
  session: 'exposure',
  error: 'error',
  unhandled_error: 'error',
  long_frame: 'long_frame',
  request: 'resource',
  failed_request: 'resource',
}

/** The kind of event that a measure is counted from. */
function kindOf(measure: string): string {
  if (measure.startsWith('custom:')) return 'custom'
  if (measure.endsWith('_click')) return 'action'
  return kinds[measure] ?? 'vital'
}

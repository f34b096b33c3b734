// Rows in the form of the roll-ups, computed from raw custom events: for metrics with a filter, which the
// roll-ups do not have, and for percentiles of event values, which they do not keep. Built by the same rules,
// so a filter that matches everything gives the same result.

import { type EventMeasure, readEventMeasure } from '@telltale/core/guard/event-measure'
import { parseMetricFilter } from '@telltale/core/query/metric-filter'
import type { Bind } from '../../monitoring/explore/conditions.ts'
import { renderEventChip } from '../../monitoring/explore/render-filter.ts'
import { bucketOf } from '../../platform/engines/clickhouse/schema/unit-buckets.ts'
import { measuresOf } from '../../platform/engines/clickhouse/schema/unit-measures.ts'
import { isVital, latestVitals } from '../../platform/engines/clickhouse/schema/unit-vitals.ts'
import type { SplitsQuestion } from './split-question.ts'

type EventsQuestion = Pick<
  SplitsQuestion,
  | 'bind'
  | 'rowsOf'
  | 'eventsOf'
  | 'ofEnvironment'
  | 'ofSplits'
  | 'ofArms'
  | 'ofStagesAndArms'
  | 'since'
  | 'leftOut'
>

interface ReadEvents {
  /** The column in place of the environment. */
  by?: string
  /** The SQL expression of `by`, if it is not a column. */
  as?: string | undefined
  /** Conditions on raw events, in addition to their names and filters. */
  conditions?: readonly string[]
}

/** Whether a measure is always read from raw events. */
export function isFiltered(measure: string): boolean {
  const filter = readEventMeasure(measure)?.filter ?? ''
  return filter !== ''
}

/**
 * The conditions on an event that such a metric counts. Throws for a filter written by another version of the
 * product.
 */
export function conditionsOf({ event, filter }: EventMeasure, bind: Bind): string[] {
  const parsed = parseMetricFilter(filter)
  if (!parsed.ok) throw new Error(`the filter "${filter}" cannot be read: ${parsed.faults[0]?.message}`)
  const whenever = { from: 0, to: 0 }
  return [
    "kind = 'custom'",
    `name = ${bind(event, 'String')}`,
    ...parsed.result.chips.map((chip) => renderEventChip(chip, whenever, bind)),
  ]
}

/** Rows of these measures for FROM, with the columns of the roll-up. */
export function measureRows(question: EventsQuestion, measures: readonly string[]): string {
  return withoutLeftOut(question, allMeasureRows(question, measures))
}

function allMeasureRows(question: EventsQuestion, measures: readonly string[]): string {
  const { bind, rowsOf } = question
  const plain = measures.filter((measure) => !isFiltered(measure))
  const stored = rowsOf('unit_measures', `measure IN ${bind(plain, 'Array(String)')}`)
  const filtered = measures.filter(isFiltered)
  const vitals = plain.filter(isVital)
  if (filtered.length + vitals.length === 0) return stored
  const columns = 'split, measure, epoch, arm, unit, n, y, first_ts'
  return allOf([
    `SELECT ${columns} FROM ${stored}`,
    ...vitalRows(question, vitals, columns),
    ...filtered.map((measure) => filteredMeasures(question, measure)),
  ])
}

export function filteredMeasures(
  question: EventsQuestion,
  measure: string,
  { by = 'environment_id', ...read }: ReadEvents = {},
): string {
  const { bind, ofArms } = question
  const rows = measuresOf(`(${eventsOf(question, measure, { by, ...read })})`, by)
  const columns = `${by === 'environment_id' ? '' : `${by}, `}split, ${bind(measure, 'String')} AS measure, epoch, arm, unit, n, y, first_ts`
  return `SELECT ${columns} FROM (${rows}) WHERE ${ofArms}`
}

/** The histograms of these measures, for FROM. */
export function bucketRows(question: EventsQuestion, measures: readonly string[]): string {
  return withoutLeftOut(question, allBucketRows(question, measures))
}

function allBucketRows(question: EventsQuestion, measures: readonly string[]): string {
  const { bind, rowsOf } = question
  const isOwn = (measure: string) => readEventMeasure(measure) !== undefined
  const plain = measures.filter((measure) => !isOwn(measure))
  const stored = rowsOf('unit_buckets', `measure IN ${bind(plain, 'Array(String)')}`)
  const own = measures.filter(isOwn)
  const vitals = plain.filter(isVital)
  if (own.length + vitals.length === 0) return stored
  const columns = 'split, measure, epoch, arm, unit, bucket, c'
  return allOf([
    `SELECT ${columns} FROM ${stored}`,
    ...vitalRows(question, vitals, columns),
    ...own.map((measure) => ownBuckets(question, measure)),
  ])
}

/** The latest values of vitals, one row for each view. */
function vitalRows(question: EventsQuestion, vitals: readonly string[], columns: string): string[] {
  if (vitals.length === 0) return []
  const { bind, ofEnvironment, ofSplits, ofStagesAndArms } = question
  const inKey = `${ofEnvironment} AND ${ofSplits} AND measure IN ${bind(vitals, 'Array(String)')}`
  return [latestVitals(columns, `PREWHERE ${inKey} WHERE ${ofStagesAndArms}`)]
}

/** For values of any kind, from a thousandth upwards. */
export function ownBuckets(
  question: EventsQuestion,
  measure: string,
  { by = 'environment_id', ...read }: ReadEvents = {},
): string {
  const { bind, ofArms } = question
  const columns = `${by === 'environment_id' ? '' : `${by}, `}split, ${bind(measure, 'String')} AS measure, epoch, arm, unit`
  return `SELECT ${columns}, bucket, count() AS c FROM (
    SELECT ${by}, a.split AS split, a.epoch AS epoch, a.arm AS arm, a.unit AS unit, ${bucketOf('x', '0.001')} AS bucket
    FROM (SELECT ${by}, arrayJoin(arms) AS a, toFloat64(value) AS x FROM (${eventsOf(question, measure, { by, ...read })})))
  WHERE ${ofArms} GROUP BY ${by}, split, epoch, arm, unit, bucket`
}

function eventsOf(question: EventsQuestion, measure: string, read: ReadEvents): string {
  const { by, as, conditions = [] } = read
  const own = readEventMeasure(measure)
  if (own === undefined) throw new Error(`${measure} is not an event of the application`)
  const { bind, since } = question
  const began = since === undefined ? [] : [`ts >= fromUnixTimestamp64Milli(${bind(since, 'Int64')})`]
  return `SELECT *${as === undefined ? '' : `, ${as} AS ${by}`} FROM ${question.eventsOf(...began, ...conditionsOf(own, bind), ...conditions)}`
}

/** For FROM; the same rows without the left-out units. */
export function withoutLeftOut(
  { bind, leftOut = [] }: Pick<EventsQuestion, 'bind' | 'leftOut'>,
  rows: string,
): string {
  if (leftOut.length === 0) return rows
  const isLeftOut = leftOut.map(({ measure, units }) => {
    const those = [...new Set(units.map(({ unit }) => unit))].map((unit) => bind(unit, 'UInt64')).join(', ')
    return `(measure = ${bind(measure, 'String')} AND unit IN (${those}))`
  })
  return `(SELECT * FROM ${rows}) WHERE NOT (${isLeftOut.join(' OR ')})`
}

const allOf = (parts: readonly string[]) => `(${parts.join(' UNION ALL ')})`

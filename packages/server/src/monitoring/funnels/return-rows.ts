// Users by the day or week of their first event, and how many of them have events on each other one.

import { limits } from '@telltale/core/limits'
import type { Filter } from '@telltale/core/query/filter'
import type { Question } from '../explore/question.ts'
import { renderGroup } from '../explore/render-filter.ts'
import { instant, renderKinds, renderStep, renderUnit } from './conditions.ts'
import { renderExposures, type Split } from './split.ts'

export interface ReturnRow {
  kind: 'group' | 'mixed' | 'unexposed'
  value: string
  /** Index of the day or week. */
  cohort: string
  size: string
  /** Users with an event of return on each day or week of the period, by index. */
  returned: string[]
}

interface Returns {
  first: Filter
  later: Filter
  steps: readonly { from: number }[]
  split: Split | undefined
}

export async function findReturns(
  question: Question,
  { first, later, steps, split }: Returns,
): Promise<ReturnRow[]> {
  const { bind } = question
  const { column, condition } = renderUnit('user')
  const starts = bind(
    steps.map(({ from }) => Math.max(0, Math.floor(from / 1_000))),
    'Array(UInt32)',
  )
  const stepOf = (seconds: string) =>
    `transform(roundDown(toUInt32(${seconds}), ${starts}), ${starts}, range(${steps.length}), 0)`
  const [isFirst, isReturn] = [renderStep(question, first), renderStep(question, later)]
  const exposures =
    split?.flag === undefined ? undefined : renderExposures(question, split.flag, { column, condition })
  const begins =
    exposures === undefined ? 'is_first' : 'is_first AND (empty(seen) OR in_view OR at >= exposed_at)'
  const value = split?.field === undefined ? "''" : `toString(${renderGroup(split.field, question)})`
  const rows = `SELECT ${column} AS unit, ${instant} AS at, ${isFirst} AS is_first, ${isReturn} AS is_return,
      ${exposures?.isInView ?? '0'} AS in_view, ${value} AS group_value
    FROM ${question.events(...renderKinds([first, later]), condition, `(${isFirst} OR ${isReturn})`)}`
  const exposed =
    exposures === undefined
      ? rows
      : `SELECT r.*, x.exposed_at AS exposed_at, x.seen AS seen FROM (${rows}) AS r GLOBAL ANY LEFT JOIN (${exposures.units}) AS x ON r.unit = x.unit`
  const ofFlag = exposures === undefined ? '' : ', any(seen) AS variations'
  const users = `SELECT unit, minIf(at, ${begins}) AS first_at, max(is_first) AS has_first, max(${begins}) AS has_begun,
      groupBitOrIf(bitShiftLeft(toUInt64(1), ${stepOf('intDiv(at, 1000)')}), is_return) AS days,
      tupleElement(minIf((at, group_value), ${begins}), 2) AS first_value${ofFlag}
    FROM (${exposed}) GROUP BY unit HAVING has_first`
  const kind =
    exposures === undefined
      ? "'group'"
      : "multiIf(length(variations) > 1, 'mixed', empty(variations) OR NOT has_begun, 'unexposed', 'group')"
  const name = exposures === undefined ? 'first_value' : "if(kind = 'group', variations[1], '')"
  return question.read<ReturnRow>(
    `SELECT ${kind} AS kind, toString(${name}) AS value, ${stepOf('intDiv(first_at, 1000)')} AS cohort, count() AS size,
      [${steps.map((_, index) => `countIf(bitTest(days, ${index}))`).join(', ')}] AS returned
    FROM (${users}) GROUP BY kind, value, cohort ORDER BY kind, size DESC, value, cohort LIMIT ${limits.telemetryReadRows}`,
  )
}

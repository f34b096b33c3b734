// What Explore counts: events, or log records, which are in another table and have other fields.

import type { ExploredKind } from '@telltale/core/contract/explore'
import type { FieldRef, Filter } from '@telltale/core/query/filter'
import type { NumericField } from '@telltale/core/query/filter-fields'
import { sessionCount, userCount } from './conditions.ts'
import type { Question } from './question.ts'
import { isGroup, renderEventChip, renderGroup, renderNumber, renderWord } from './render-filter.ts'
import { isLogGroup, renderLogGroup, renderServedFilter } from './render-span-filter.ts'
import { sampleOf } from './sample.ts'
import { within } from './span-time.ts'

export interface Source {
  /** Rows that match the filter and can be grouped by these fields, each with `ts` and `weight`, for FROM. */
  rows(by: readonly FieldRef[], ...conditions: string[]): string
  /** A value to group by. */
  group(field: FieldRef): string
  /** The conditions of another filter. */
  part(filter: Filter): string[]
  users: string
  sessions: string
  /** A numeric field, and the rows that have it. */
  number(field: NumericField): { value: string; of: string }
}

export function openSource(question: Question, kind: ExploredKind | undefined): Source {
  if (kind === 'log') return logsOf(question)
  const { bind } = question
  const ofKind = kind === undefined ? [] : [`kind = ${bind(kind, 'String')}`]
  return {
    rows: (by, ...conditions) => question.groupable(by, question.events(...conditions, ...ofKind)),
    group: (field) => renderGroup(field, question),
    part: ({ chips, words }) => [
      ...chips.map((chip) => renderEventChip(chip, question, bind)),
      ...words.map((word) => renderWord(word, bind)),
    ],
    users: `${userCount} * ${sampleOf(question)}`,
    sessions: `${sessionCount} * ${sampleOf(question)}`,
    number: renderNumber,
  }
}

/** Records are not sampled: each has the weight 1. */
function logsOf(question: Question): Source {
  const { bind } = question
  return {
    rows: (_by, ...conditions) => {
      const found = [...within(question, bind), ...renderServedFilter('logs', question.filter, bind)]
      const rows = question.rowsOf('logs', ...found, ...conditions)
      return `(SELECT *, toFloat64(1) AS weight FROM ${rows})`
    },
    group: (field) => renderLogGroup(field, bind),
    part: (filter) => renderServedFilter('logs', filter, bind),
    users: "uniqExactIf(user_key, user_key != '')",
    sessions: 'uniqExactIf(session_id, notEmpty(session_id))',
    // `readMeasure` refuses these.
    number: () => ({ value: '0', of: '0' }),
  }
}

/** Whether rows can be grouped by a field. */
export const groupsOf = (kind: ExploredKind | undefined) => (kind === 'log' ? isLogGroup : isGroup)

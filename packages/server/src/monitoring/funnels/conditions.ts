// Steps as conditions on rows of events, and the units that are counted.

import type { FunnelUnit } from '@telltale/core/contract/funnels'
import type { Filter } from '@telltale/core/query/filter'
import { noJoinedGroups, widenIssues } from '../explore/joined-groups.ts'
import type { Question } from '../explore/question.ts'
import { renderEventChip, renderWord } from '../explore/render-filter.ts'

/** Every condition of a filter; of an empty one, all events. */
export function renderStep(question: Question, filter: Filter): string {
  const { chips, words } = widenIssues(filter, question.joined ?? noJoinedGroups)
  const found = [
    ...chips.map((chip) => renderEventChip(chip, question, question.bind)),
    ...words.map((word) => renderWord(word, question.bind)),
  ]
  return found.length === 0 ? '1' : `(${found.join(' AND ')})`
}

/** The kinds of event that any of the filters can match, as a condition, so that no others are read. */
export function renderKinds(filters: readonly Filter[]): string[] {
  const kinds = filters.map(({ chips }) =>
    chips.find(({ field, isNegated, operator }) => field === 'kind' && !isNegated && operator === 'is'),
  )
  const values = kinds.flatMap((chip) => chip?.values ?? [])
  if (kinds.includes(undefined) || !values.every((value) => /^[a-z_]+$/.test(value))) return []
  return [`kind IN (${[...new Set(values)].map((value) => `'${value}'`).join(', ')})`]
}

/** The column of a unit, and the events that belong to one: those of servers have no session, and may have no user. */
export function renderUnit(unit: FunnelUnit): { column: string; condition: string } {
  return unit === 'user'
    ? { column: 'user_hash', condition: 'user_hash != 0' }
    : { column: 'session_id', condition: 'notEmpty(session_id)' }
}

/** Milliseconds since 1970. */
export const instant = 'toUInt64(toUnixTimestamp64Milli(ts))'

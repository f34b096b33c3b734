// Where the errors of an issue happen: the most frequent values of each field.

import { sessionCount } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import { inGroups, isError } from './seen-errors.ts'

export const sliced = ['browser', 'os', 'device', 'country', 'version', 'page'] as const
type Sliced = (typeof sliced)[number] | 'flags'

export interface Slice {
  value: string
  events: number
  sessions: number
}

const slicesShown = 10
const attributesShown = 12
const attributeValuesShown = 5
/** Shown beside the stack instead. */
const hiddenAttribute = 'componentStack'

interface SliceRow {
  part: string
  text: string
  events: number
  session_count: string
}

const toSlice = ({ text, events, session_count: sessions }: SliceRow): Slice => ({
  value: text,
  events,
  sessions: Number(sessions),
})

/** By field; `flags` contains `flag=variation`. */
export async function countSlices(
  question: Question,
  groups: readonly string[],
): Promise<Record<Sliced, Slice[]>> {
  const fields = sliced.map((field) => `('${field}', toString(${field}))`).join(', ')
  const rows = await question.read<SliceRow>(
    `SELECT pair.1 AS part, pair.2 AS text, sum(weight) AS events, ${sessionCount} AS session_count
    FROM (
      SELECT session_id, weight, arrayJoin(arrayConcat([${fields}], arrayMap(f -> ('flags', toString(f)), flags))) AS pair
      FROM ${question.events(isError, inGroups(groups))}
    )
    GROUP BY part, text ORDER BY part, events DESC, text LIMIT ${slicesShown} BY part`,
  )
  const of = (part: Sliced) => rows.filter((row) => row.part === part).map(toSlice)
  return {
    flags: of('flags'),
    browser: of('browser'),
    os: of('os'),
    device: of('device'),
    country: of('country'),
    version: of('version'),
    page: of('page'),
  }
}

export async function countAttributes(
  question: Question,
  groups: readonly string[],
): Promise<{ name: string; values: Slice[] }[]> {
  const rows = await question.read<SliceRow>(
    `SELECT part, text, events, session_count FROM (
      SELECT pair.1 AS part, pair.2 AS text, sum(weight) AS events, ${sessionCount} AS session_count,
        sum(sum(weight)) OVER (PARTITION BY pair.1) AS carried
      FROM (
        SELECT session_id, weight, arrayJoin(arrayZip(arrayMap(n -> toString(n), mapKeys(attrs)), mapValues(attrs))) AS pair
        FROM ${question.events(isError, inGroups(groups), 'notEmpty(attrs)')}
      )
      WHERE pair.1 != '${hiddenAttribute}' GROUP BY pair.1, pair.2
    )
    ORDER BY carried DESC, part, events DESC, text LIMIT ${attributeValuesShown} BY part LIMIT ${attributesShown * attributeValuesShown}`,
  )
  const names = [...new Set(rows.map(({ part }) => part))].slice(0, attributesShown)
  return names.map((name) => ({ name, values: rows.filter(({ part }) => part === name).map(toSlice) }))
}

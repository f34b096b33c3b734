// Which events a metric counts: only properties of a single event that are fixed when it happens. Flags and session
// totals are excluded, because a variation may change both.

import { type Filter, type Parsed, parseFilter } from './filter.ts'
import type { FieldName } from './filter-fields.ts'

export const metricFilterFields = [
  'page',
  'url',
  'referrer',
  'browser',
  'browser-version',
  'os',
  'device',
  'country',
  'connection',
  'service',
  'version',
  'source',
  'origin',
  'attr',
  'value',
  'duration',
] as const satisfies readonly FieldName[]

const isAllowed = (field: FieldName) => metricFilterFields.some((one) => one === field)

/** The normalised filter, or its errors. */
export function parseMetricFilter(text: string): Parsed<Filter> {
  const parsed = parseFilter(text)
  if (!parsed.ok) return parsed
  const { chips, words } = parsed.result
  const [other] = chips.filter(({ field }) => !isAllowed(field))
  const fault = (message: string): Parsed<Filter> => ({ ok: false, faults: [{ at: 0, message }] })
  if (words.length > 0) return fault(`"${words[0]}" is not a condition: use a field, such as page or attr`)
  return other === undefined ? parsed : fault(`a metric cannot be filtered by ${other.field}`)
}

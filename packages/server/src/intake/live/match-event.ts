// Whether an event matches a filter of the filter language, with the same semantics as in the tables. Most events are
// rejected by the text of their row, before it is parsed.

import type { LiveEvent } from '@telltale/core/contract/live'
import { type Chip, type Filter, printFilter } from '@telltale/core/query/filter'
import { type FieldName, fieldDefinition } from '@telltale/core/query/filter-fields'

export interface Match {
  filter: Filter
  /** False when an event with this row text cannot match. */
  mayMatch(row: string): boolean
  matches(event: LiveEvent): boolean
}

export function createMatch(filter: Filter): Match {
  const needles = filter.chips.flatMap(needleOf).map((text) => JSON.stringify(text).slice(1, -1))
  const chips = filter.chips.map(
    (chip) => (event: LiveEvent) => chip.isNegated !== holds(chip, valuesOf(chip, event)),
  )
  const words = filter.words.map((word) => word.toLowerCase())

  return {
    filter,
    mayMatch: (row) => needles.every((needle) => row.includes(needle)),
    matches: (event) =>
      chips.every((fits) => fits(event)) && words.every((word) => hasPart(textsOf(event), [word])),
  }
}

/** Matches one of several values. */
export function anyOf(several: readonly Match[]): Pick<Match, 'mayMatch' | 'matches'> {
  return {
    mayMatch: (row) => several.some((match) => match.mayMatch(row)),
    matches: (event) => several.some((match) => match.matches(event)),
  }
}

/** Chips about a whole session, of which the tail knows only the current event. */
export function findForeignChips({ chips }: Filter): string[] {
  const foreign = chips.filter(({ field }) => fieldDefinition(field).ofSession === true)
  return foreign.map((chip) => printFilter({ chips: [chip], words: [] }))
}

type Value = string | number | boolean

/** Empty when an event of this kind has no such field. */
const fields: Partial<Record<FieldName, (event: LiveEvent) => Value[]>> = {
  kind: ({ kind }) => [kind],
  page: ({ page }) => [page],
  url: ({ url }) => [url],
  referrer: ({ referrer }) => [referrer],
  browser: ({ browser }) => [browser],
  'browser-version': ({ browserVersion }) => [browserVersion],
  os: ({ os }) => [os],
  device: ({ device }) => [device],
  country: ({ country }) => [country],
  connection: ({ connection }) => [connection],
  service: ({ service }) => [service],
  version: ({ version }) => [version],
  source: ({ source }) => [source],
  origin: ({ origin }) => [origin],
  user: ({ userKey, anonymousId }) => [userKey, anonymousId],
  session: ({ session }) => (session === null ? [] : [session]),
  view: ({ view }) => (view === null ? [] : [view]),
  trace: ({ traceId }) => [traceId],
  name: ({ name }) => [name],
  target: ({ target }) => [target],
  frustration: ({ frustration }) => frustration,
  issue: (event) => ofKind(event, 'error', event.issue),
  error: (event) => ofKind(event, 'error', event.errorMessage),
  'error-type': (event) => ofKind(event, 'error', event.errorType),
  handled: (event) => ofKind(event, 'error', event.handled),
  method: (event) => ofKind(event, 'resource', event.method),
  host: (event) => ofKind(event, 'resource', event.host),
  endpoint: (event) => ofKind(event, 'resource', event.endpoint),
  status: (event) => (event.status === 0 ? [] : ofKind(event, 'resource', event.status)),
  failed: (event) => ofKind(event, 'resource', event.failed),
  'resource-type': (event) => ofKind(event, 'resource', event.resourceType),
  replay: ({ hasReplay }) => [hasReplay],
  bot: ({ bot }) => [bot],
  lcp: (event) => ofVital(event, 'LCP'),
  inp: (event) => ofVital(event, 'INP'),
  cls: (event) => ofVital(event, 'CLS'),
  fcp: (event) => ofVital(event, 'FCP'),
  ttfb: (event) => ofVital(event, 'TTFB'),
  value: ({ kind, value }) => (kind === 'vital' || kind === 'custom' ? [value] : []),
  duration: ({ kind, duration }) => (timed.has(kind) ? [duration] : []),
  blocking: (event) => ofKind(event, 'long_frame', event.blocking),
  size: (event) => ofKind(event, 'resource', event.size),
}

const timed = new Set(['resource', 'long_frame', 'action', 'custom'])

const ofKind = ({ kind }: LiveEvent, wanted: string, value: Value) => (kind === wanted ? [value] : [])
const ofVital = ({ kind, name, value }: LiveEvent, wanted: string) =>
  kind === 'vital' && name === wanted ? [value] : []

function valuesOf({ field, key }: Chip, event: LiveEvent): Value[] {
  if (field === 'flag') {
    const begin = `${key}=`
    return event.flags.filter((read) => read.startsWith(begin)).map((read) => read.slice(begin.length))
  }
  if (field === 'attr') return Object.hasOwn(event.attributes, key) ? [event.attributes[key] ?? ''] : []
  return fields[field]?.(event) ?? []
}

function holds({ field, operator, values }: Chip, found: readonly Value[]): boolean {
  const [wanted = ''] = values
  switch (operator) {
    case 'exists':
      return field === 'attr' ? found.length > 0 : found.some((value) => value !== '')
    case 'contains':
      return hasPart(
        found.map(String),
        values.map((value) => value.toLowerCase()),
      )
    case 'is':
      return values.some((value) => found.some((one) => isSame(one, value)))
    case '>=':
      return found.some((value) => Number(value) >= Number(wanted))
    case '>':
      return found.some((value) => Number(value) > Number(wanted))
    case '<=':
      return found.some((value) => Number(value) <= Number(wanted))
    case '<':
      return found.some((value) => Number(value) < Number(wanted))
  }
}

/** IDs are stored in lower case. */
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

function isSame(found: Value, wanted: string): boolean {
  if (typeof found === 'number') return found === Number(wanted)
  return String(found) === wanted || (uuid.test(wanted) && found === wanted.toLowerCase())
}

function hasPart(texts: readonly string[], parts: readonly string[]): boolean {
  return texts.some((text) => {
    const lower = text.toLowerCase()
    return parts.some((part) => lower.includes(part))
  })
}

function textsOf(event: LiveEvent): string[] {
  const { page, url, name, target, errorType, errorMessage, endpoint, userKey, anonymousId } = event
  return [page, url, name, target, errorType, errorMessage, endpoint, userKey, anonymousId]
}

/** The text that every row matching the chip contains. */
function needleOf({ field, key, isNegated, operator, values }: Chip): string[] {
  if (isNegated) return []
  if (field === 'attr') return [key]
  const [value, ...others] = values
  if (field === 'flag') {
    return [operator === 'is' && value !== undefined && others.length === 0 ? `${key}=${value}` : `${key}=`]
  }
  const { type } = fieldDefinition(field)
  const isText = type === 'text' || type === 'id'
  if (!isText || operator !== 'is' || value === undefined || others.length > 0) return []
  return [type === 'id' ? value.toLowerCase() : value]
}

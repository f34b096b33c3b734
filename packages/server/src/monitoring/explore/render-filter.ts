// Renders a filter as conditions on the table of events. Column names are fixed here and values are sent as
// parameters, so that no user input becomes part of a statement.

import { type Chip, type FieldRef, printField } from '@telltale/core/query/filter'
import { type FieldName, fieldDefinition } from '@telltale/core/query/filter-fields'
import { renderAttachedChip } from './attached.ts'
import {
  asksForBots,
  asksForOrigin,
  type Bind,
  compare,
  type FilteredPeriod,
  ofBrowsers,
  renderList,
} from './conditions.ts'
import { renderSessionChip, sessionRows } from './session-rows.ts'
import { type FlagScope, renderViewFlag } from './view-flags.ts'

interface Column {
  /** Columns to compare; one match is enough. */
  is: readonly string[]
  /** Restricts the condition to events that can have the value. */
  of?: string
}

const vital = (name: string): Column => ({ is: ['value'], of: `kind = 'vital' AND name = '${name}'` })
const text = (column: string): Column => ({ is: [column] })
const ofResource = "kind = 'resource'"

/** Fields that are neither keyed nor of a session. */
const columns: Partial<Record<FieldName, Column>> = {
  kind: text('kind'),
  page: text('page'),
  url: text('url'),
  referrer: text('referrer'),
  browser: text('browser'),
  'browser-version': text('browser_version'),
  os: text('os'),
  device: text('device'),
  country: text('country'),
  connection: text('connection'),
  service: text('service'),
  version: text('version'),
  source: text('source'),
  origin: text('origin'),
  user: { is: ['user_key', 'anonymous_id'] },
  session: text('session_id'),
  view: text('view_id'),
  trace: text('trace_id'),
  // Of spans and log records only.
  'span-kind': text("''"),
  level: text("''"),
  name: text('name'),
  target: text('target'),
  issue: { is: ['err_group'], of: "kind = 'error'" },
  error: { is: ['err_message'], of: "kind = 'error'" },
  'error-type': { is: ['err_type'], of: "kind = 'error'" },
  handled: { is: ['err_handled'], of: "kind = 'error'" },
  method: { is: ['res_method'], of: ofResource },
  host: { is: ['res_host'], of: ofResource },
  endpoint: { is: ['res_endpoint'], of: ofResource },
  status: { is: ['res_status'], of: ofResource },
  failed: { is: ['res_failed'], of: ofResource },
  'resource-type': { is: ['res_type'], of: ofResource },
  replay: text('has_replay'),
  bot: text('bot'),
  lcp: vital('LCP'),
  inp: vital('INP'),
  cls: vital('CLS'),
  fcp: vital('FCP'),
  ttfb: vital('TTFB'),
  value: { is: ['value'], of: "kind IN ('vital', 'custom')" },
  duration: { is: ['duration'], of: "kind IN ('resource', 'long_frame', 'action', 'custom')" },
  blocking: { is: ['blocking'], of: "kind = 'long_frame'" },
  size: { is: ['res_size'], of: ofResource },
}

/** Columns in which words are searched. */
const texts = [
  'page',
  'url',
  'name',
  'target',
  'err_type',
  'err_message',
  'res_endpoint',
  'user_key',
  'anonymous_id',
]

/** What servers send that also counts where nothing else of them does. */
const ofAnyOrigin = `(${ofBrowsers} OR kind IN ('error', 'custom', 'exposure'))`

/** Bots and the requests of servers are excluded unless the filter includes them. */
export function renderForEvents({ filter, ...period }: FilteredPeriod, bind: Bind): string[] {
  return [
    ...(asksForBots(filter) ? [] : ['bot = 0']),
    ...(asksForOrigin(filter) ? [] : [ofAnyOrigin]),
    ...filter.chips.map((chip) => renderEventChip(chip, period, bind)),
    ...filter.words.map((word) => renderWord(word, bind)),
  ]
}

/** Only the condition itself, without the conditions on all events. */
export function renderEventChip(chip: Chip, period: FlagScope, bind: Bind): string {
  const condition =
    // Attachments are looked up by session, whenever the session began.
    renderAttachedChip(chip, period, bind) ??
    (fieldDefinition(chip.field).ofSession
      ? `session_id GLOBAL IN (SELECT session_id FROM (${sessionRows(period, bind)}) WHERE ${renderSessionChip({ ...chip, isNegated: false }, period, bind)})`
      : renderPositive(chip, period, bind))
  return chip.isNegated ? `NOT (${condition})` : `(${condition})`
}

export function renderWord(word: string, bind: Bind): string {
  const place = bind(word, 'String')
  return `(${texts.map((column) => `positionCaseInsensitiveUTF8(${column}, ${place}) > 0`).join(' OR ')})`
}

/** The part of a question that grouping needs. */
interface Grouping {
  bind: Bind
  issueOf(column: string): string
  variationOf(flag: string): string
}

/** The grouping value of a field as text; empty for events without one. */
export function renderGroup({ field, key }: FieldRef, { bind, issueOf, variationOf }: Grouping): string {
  if (field === 'flag') return variationOf(key)
  if (field === 'attr') return `attrs[${bind(key, 'String')}]`
  if (field === 'frustration') return "arrayStringConcat(frustration, ', ')"
  const { is, of } = columnOf(field)
  if (field === 'issue') return `if(${of}, toString(${issueOf('err_group')}), '')`
  const column = field === 'user' ? "if(user_key != '', user_key, anonymous_id)" : (is[0] ?? "''")
  const { type } = fieldDefinition(field)
  const value =
    type === 'boolean'
      ? `if(${column} = 1, 'true', 'false')`
      : type === 'text'
        ? column
        : `toString(${column})`
  return of === undefined ? value : `if(${of}, ${value}, '')`
}

/** Whether events can be grouped by the field; fields of sessions cannot. */
export const isGroup = ({ field, key }: FieldRef) =>
  fieldDefinition(field).ofSession !== true && (key !== '' || fieldDefinition(field).isKeyed !== true)

/** A numeric field, and the events that have it. */
export function renderNumber(field: FieldName): { value: string; of: string } {
  const { is, of = '1' } = columnOf(field)
  return { value: is[0] ?? '0', of }
}

function renderPositive(chip: Chip, period: FlagScope, bind: Bind): string {
  const { field, key } = chip
  if (field === 'flag') return renderViewFlag(chip, period, bind)
  if (field === 'frustration') return renderList('frustration', chip, bind)
  if (field === 'attr') {
    const name = bind(key, 'String')
    return chip.operator === 'exists'
      ? `mapContains(attrs, ${name})`
      : compare([`attrs[${name}]`], chip, bind)
  }
  const { is, of } = columnOf(field)
  const condition = compare(is, chip, bind)
  return of === undefined ? condition : `${of} AND ${condition}`
}

function columnOf(field: FieldName): Column {
  const column = columns[field]
  if (column === undefined) throw new Error(`events have no column for ${printField({ field, key: '' })}`)
  return column
}

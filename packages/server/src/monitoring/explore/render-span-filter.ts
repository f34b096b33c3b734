// Renders a filter as conditions on spans or log records. As for events, column names are fixed here and values are
// parameters. A field that spans or log records do not have is an error, not a filter that matches nothing.

import { problem } from '@telltale/core/errors'
import { type Chip, type FieldRef, type Filter, printField } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { readOtlpId } from '@telltale/core/telemetry/otlp/otlp'
import { traceUuid } from '@telltale/core/telemetry/otlp/span-row'
import { type Bind, compare, renderFlag } from './conditions.ts'
import { traceIdText } from './span-time.ts'

interface ServedTable {
  what: string
  columns: Partial<Record<FieldName, readonly string[]>>
  /** In which words are searched, besides the values of attributes. */
  texts: readonly string[]
}

const shared: ServedTable['columns'] = {
  service: ['service'],
  version: ['version'],
  user: ['user_key'],
  session: ['session_id'],
  name: ['name'],
  source: ['source'],
}

const spans: ServedTable = {
  what: 'spans',
  columns: {
    ...shared,
    'span-kind': ['kind'],
    failed: ["(status = 'error')"],
    error: ['status_message'],
    duration: ['duration'],
    method: ['method'],
    endpoint: ['endpoint'],
    host: ['host'],
    status: ['http_status'],
  },
  texts: ['name', 'endpoint', 'service', 'status_message', 'user_key'],
}

const logs: ServedTable = {
  what: 'log records',
  columns: { ...shared, level: ['level'] },
  texts: ['body', 'name', 'service', 'user_key'],
}

const tables = { spans, logs }

export function renderServedFilter(
  table: keyof typeof tables,
  { chips, words }: Filter,
  bind: Bind,
): string[] {
  return [
    ...chips.map((chip) => renderChip(tables[table], chip, bind)),
    ...words.map((word) => renderWord(tables[table], word, bind)),
  ]
}

function renderChip(table: ServedTable, chip: Chip, bind: Bind): string {
  const condition = renderPositive(table, chip, bind)
  return chip.isNegated ? `NOT (${condition})` : `(${condition})`
}

function renderPositive(table: ServedTable, chip: Chip, bind: Bind): string {
  const { field, key } = chip
  if (field === 'trace') return renderTrace(chip, bind)
  if (field === 'flag' && table === spans) return renderFlag('flags', chip, bind)
  if (field === 'attr') {
    const name = bind(key, 'String')
    if (chip.operator === 'exists') return `mapContains(attrs, ${name}) OR mapContains(resource, ${name})`
    return compare([attributeOf(name)], chip, bind)
  }
  const columns = table.columns[field]
  if (columns !== undefined) return compare(columns, chip, bind)
  throw problem('invalid-request', {
    errors: [{ pointer: '?filter', message: `${table.what} have no field "${printField({ field, key })}"` }],
  })
}

function renderTrace({ operator, values }: Chip, bind: Bind): string {
  if (operator === 'exists') return 'notEmpty(trace_id)'
  const ids = values.map((value) => traceUuid(readOtlpId(value, 16)))
  return `trace_id IN (${ids.map((id) => bind(id, 'UUID')).join(', ')}) AND notEmpty(trace_id)`
}

function renderWord({ texts }: ServedTable, word: string, bind: Bind): string {
  const place = bind(word, 'String')
  const found = texts.map((column) => `positionCaseInsensitiveUTF8(${column}, ${place}) > 0`)
  const ofAttributes = `arrayExists(x -> positionCaseInsensitiveUTF8(x, ${place}) > 0, mapValues(attrs))`
  return `(${[...found, ofAttributes].join(' OR ')})`
}

/** Of the record itself, else of what wrote it. */
const attributeOf = (name: string) => `if(mapContains(attrs, ${name}), attrs[${name}], resource[${name}])`

/** Whether log records can be grouped by a field. */
export const isLogGroup = ({ field, key }: FieldRef) =>
  field === 'attr' ? key !== '' : field === 'trace' || logs.columns[field] !== undefined

/** The value of a log record to group by; empty when it has none. */
export function renderLogGroup({ field, key }: FieldRef, bind: Bind): string {
  if (field === 'attr') return attributeOf(bind(key, 'String'))
  if (field === 'trace') return `if(notEmpty(trace_id), ${traceIdText()}, '')`
  if (field === 'session') return "if(notEmpty(session_id), toString(session_id), '')"
  return `toString(${logs.columns[field]?.[0] ?? "''"})`
}

// Shared by conditions on events and on sessions: values of every type as parameters, lists, and pairs of flag
// and variation.

import type { Chip, Filter } from '@telltale/core/query/filter'
import { fieldDefinition } from '@telltale/core/query/filter-fields'

/** Returns the placeholder of a value in the statement. */
export type Bind = (value: unknown, type: string) => string

export interface FilteredPeriod {
  from: number
  to: number
  /** The condition on the session, if only events of one session are read, regardless of the period. */
  ofSession?: string
  filter: Filter
}

/** For screens about pages, sessions and releases of browsers, whatever servers send beside them. */
export const ofBrowsers = "origin != 'server'"

export const ofServers = "origin = 'server'"

/** SQL that counts sessions and users: servers have neither, unless they name them. */
export const sessionCount = 'uniqExactIf(session_id, notEmpty(session_id))'
export const userCount = 'uniqExactIf(user_hash, user_hash != 0)'

/** For statements that read what servers send as well, including their requests. */
export const ofEveryOrigin: Filter = {
  chips: [{ field: 'origin', key: '', operator: 'is', values: ['browser', 'server'], isNegated: false }],
  words: [],
}

export const asksForOrigin = ({ chips }: Filter) => chips.some(({ field }) => field === 'origin')
export const asksForBots = ({ chips }: Filter) => chips.some(({ field }) => field === 'bot')

/**
 * The variation of one row. For a row of events this is the event's own variation; `withVariations` gives that
 * of its view.
 */
export function variationOf(column: string, flag: string, bind: Bind): string {
  const prefix = bind(`${flag}=`, 'String')
  return `substringUTF8(arrayFirst(x -> startsWith(x, ${prefix}), ${column}), lengthUTF8(${prefix}) + 1)`
}

/** `flag=variation` in an array of such pairs. */
export function renderFlag(column: string, { key, operator, values }: Chip, bind: Bind): string {
  const prefix = bind(`${key}=`, 'String')
  if (operator === 'is') {
    return anyOf(
      column,
      values.map((value) => bind(`${key}=${value}`, 'String')),
    )
  }
  const begins = `startsWith(x, ${prefix})`
  if (operator === 'exists') return `arrayExists(x -> ${begins}, ${column})`
  const parts = bind(values, 'Array(String)')
  return `arrayExists(x -> ${begins} AND multiSearchAnyCaseInsensitiveUTF8(substring(x, length(${prefix}) + 1), ${parts}), ${column})`
}

/** Matches if the array contains any of the values. */
export function renderList(column: string, { operator, values }: Chip, bind: Bind): string {
  if (operator === 'exists') return `notEmpty(${column})`
  if (operator === 'is') {
    return anyOf(
      column,
      values.map((value) => bind(value, 'String')),
    )
  }
  const given = bind(values, 'Array(String)')
  return `arrayExists(x -> multiSearchAnyCaseInsensitiveUTF8(x, ${given}), ${column})`
}

/** One `has` per value, so that the engine compares positions in its dictionary instead of texts. */
export function anyOf(column: string, places: readonly string[]): string {
  return `(${places.map((place) => `has(${column}, ${place})`).join(' OR ')})`
}

/** Matches if any of the columns has any of the values. */
export function compare(is: readonly string[], chip: Chip, bind: Bind): string {
  const conditions = is.map((column) => compareOne(column, chip, bind))
  return conditions.length === 1 ? (conditions[0] ?? '0') : `(${conditions.join(' OR ')})`
}

function compareOne(column: string, { field, operator, values }: Chip, bind: Bind): string {
  const { type } = fieldDefinition(field)
  switch (operator) {
    case 'exists':
      return type === 'text' ? `${column} != ''` : field === 'status' ? `${column} != 0` : '1'
    case 'contains':
      return `multiSearchAnyCaseInsensitiveUTF8(${column}, ${bind(values, 'Array(String)')})`
    case 'is':
      return `${column} IN (${values.map((value) => renderValue(type, value, bind)).join(', ')})`
    default:
      return `${column} ${operator} ${renderValue(type, values[0] ?? '', bind)}`
  }
}

function renderValue(type: string, value: string, bind: Bind): string {
  switch (type) {
    // 32 bits as in the columns: 0.1 in 32 bits differs from 0.1 in 64 bits.
    case 'number':
      return bind(Number(value), 'Float32')
    case 'boolean':
      return bind(value === 'true' ? 1 : 0, 'UInt8')
    case 'id':
      return bind(value.toLowerCase(), 'UUID')
    case 'issue':
      // Inlined as a checked number: the groups of an issue may be too many for parameters in a URL.
      return `toUInt64(${BigInt(value)})`
    default:
      return bind(value, 'String')
  }
}

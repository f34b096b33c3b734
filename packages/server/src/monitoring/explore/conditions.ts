// What conditions on events and on sessions have in common: values of every type as parameters, lists, and pairs of flag and
// variation.

import type { Chip, Filter } from '@telltale/core/query/filter'
import { fieldDefinition } from '@telltale/core/query/filter-fields'

/** Gives the place that a value has in the text. */
export type Bind = (value: unknown, type: string) => string

export interface FilteredPeriod {
  from: number
  to: number
  /** Where only events of one session are read, whenever they were: the condition on it. */
  ofSession?: string
  filter: Filter
}

export const asksForBots = ({ chips }: Filter) => chips.some(({ field }) => field === 'bot')

/** Of one row. Of a row of events it is the event's own variation: `withVariations` knows that of its view. */
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

/** Any of the values in an array. */
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

/** One by one: the engine then compares with its dictionary of texts instead of the texts. */
export function anyOf(column: string, places: readonly string[]): string {
  return `(${places.map((place) => `has(${column}, ${place})`).join(' OR ')})`
}

/** Any of the columns with any of the values. */
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
    // As the columns have them: a 32-bit 0.1 is not a 64-bit one.
    case 'number':
      return bind(Number(value), 'Float32')
    case 'boolean':
      return bind(value === 'true' ? 1 : 0, 'UInt8')
    case 'id':
      return bind(value.toLowerCase(), 'UUID')
    case 'issue':
      // A number that was checked; as many as an issue has groups do not fit into an address.
      return `toUInt64(${BigInt(value)})`
    default:
      return bind(value, 'String')
  }
}

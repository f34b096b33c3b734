import { type FieldRef, parseFields, printValue } from '@telltale/core/query/filter'
import {
  type FieldName,
  fieldDefinition,
  filterFields,
  isFieldName,
} from '@telltale/core/query/filter-fields'

export interface FilterSuggestion {
  /** The whole text after the suggestion is accepted. */
  readonly value: string
  readonly note?: string
  /** The filter is complete: it becomes a chip immediately. */
  readonly isWhole: boolean
}

/** Suggestions for the last word of a filter during typing. */
export type Wanted =
  | { kind: 'field'; head: string; typed: string }
  | { kind: 'value'; head: string; field: FieldRef; typed: string }
  | { kind: 'nothing' }

const lastPart = /(?:^|\s)(-?)([a-z][a-z-]*)(:?)((?:[^\s"]|"[^"]*"?)*)$/

/** Fields before the colon, values of the field after it. Comparisons and quoted words get no suggestions. */
export function wantedBy(text: string): Wanted {
  if (text.trim() === '') return { kind: 'field', head: '', typed: '' }
  const match = lastPart.exec(text)
  if (match === null) return { kind: 'nothing' }
  const [whole, minus = '', name = '', colon = '', rest = ''] = match
  const before = text.slice(0, text.length - whole.trimStart().length)
  if (before.split('"').length % 2 === 0) return { kind: 'nothing' }
  if (colon === '')
    return rest === '' ? { kind: 'field', head: before + minus, typed: name } : { kind: 'nothing' }
  if (!isFieldName(name)) return { kind: 'nothing' }
  return wantedValue(`${before}${minus}${name}:`, name, rest)
}

function wantedValue(head: string, name: FieldName, rest: string): Wanted {
  if (!fieldDefinition(name).isKeyed) return valuesWanted(head, { field: name, key: '' }, rest)
  const equals = rest.indexOf('=')
  if (equals === -1) return valuesWanted(head, { field: name, key: '' }, rest)
  const [field] = parsedFields(`${name}:${rest.slice(0, equals)}`)
  return field === undefined
    ? { kind: 'nothing' }
    : valuesWanted(`${head}${rest.slice(0, equals + 1)}`, field, rest.slice(equals + 1))
}

function valuesWanted(head: string, field: FieldRef, rest: string): Wanted {
  if (/^[~<>*"]/.test(rest)) return { kind: 'nothing' }
  const comma = rest.lastIndexOf(',') + 1
  return { kind: 'value', head: head + rest.slice(0, comma), field, typed: rest.slice(comma) }
}

function parsedFields(text: string): FieldRef[] {
  const parsed = parseFields(text)
  return parsed.ok ? parsed.result : []
}

/** Fields whose name or label starts with the typed text; each as `name:`. */
export function suggestFields(
  { head, typed }: Extract<Wanted, { kind: 'field' }>,
  fields: readonly FieldName[],
): FilterSuggestion[] {
  const wanted = typed.toLowerCase()
  return fields
    .map((name) => ({ name, label: filterFields[name].label }))
    .filter(({ name, label }) => name.includes(wanted) || label.toLowerCase().includes(wanted))
    .sort((left, right) => Number(right.name.startsWith(wanted)) - Number(left.name.startsWith(wanted)))
    .map(({ name, label }) => ({ value: `${head}${name}:`, note: label, isWhole: false }))
}

/** Values in the syntax of the language. For a flag or an attribute without a key, they are its keys. */
export function suggestValues(
  { head, field }: Extract<Wanted, { kind: 'value' }>,
  values: readonly { value: string; note?: string }[],
): FilterSuggestion[] {
  const isKey = fieldDefinition(field.field).isKeyed === true && field.key === ''
  return values.map(({ value, ...rest }) => ({
    ...rest,
    value: `${head}${printValue(value)}${isKey ? '=' : ''}`,
    isWhole: !isKey,
  }))
}

/** The values of an enumerated field that start with the typed text. */
export function choicesOf({ field, typed }: Extract<Wanted, { kind: 'value' }>): { value: string }[] {
  const { type, choices = type === 'boolean' ? ['true', 'false'] : [] } = fieldDefinition(field.field)
  return choices.filter((choice) => choice.startsWith(typed)).map((value) => ({ value }))
}

// The single filter language of telemetry: chips `field operator value` and words, as text in URLs, saved views and
// calls. `parseFilter` restores exactly what `printFilter` writes. Anything invalid is an error with its position,
// never a filter with another meaning.

import { limits } from '../limits.ts'
import { checkChip } from './check-chip.ts'
import { type FieldName, fieldDefinition, isFieldName } from './filter-fields.ts'
import { type Fault, Reader } from './filter-reader.ts'

export const operators = ['is', 'contains', 'exists', '>=', '>', '<=', '<'] as const
export type Operator = (typeof operators)[number]

export interface FieldRef {
  field: FieldName
  /** Of a flag or an attribute; empty for every other field. */
  key: string
}

export interface Chip extends FieldRef {
  isNegated: boolean
  operator: Operator
  /** Any of them matches. Empty with `exists`, one value with a comparison. */
  values: readonly string[]
}

/** All chips match, and every word occurs somewhere. */
export interface Filter {
  chips: readonly Chip[]
  words: readonly string[]
}

export type Parsed<Result> = { ok: true; result: Result } | { ok: false; faults: Fault[] }

export const emptyFilter: Filter = { chips: [], words: [] }

export function parseFilter(text: string): Parsed<Filter> {
  const reader = new Reader(text)
  const filter = readFilter(reader)
  if (!reader.hasFaults() && !reader.isAtEnd()) reader.fault('a filter has no steps: quote the arrow')
  return reader.outcome(filter)
}

/** Filters that successive events match, separated by `->`; at most so many. */
export function parseSequence(text: string, most: number = limits.sequenceSteps): Parsed<Filter[]> {
  const reader = new Reader(text)
  const steps = [readFilter(reader)]
  while (reader.takeArrow()) steps.push(readFilter(reader))
  if (steps.length > most) reader.fault(`a sequence has at most ${most} steps`)
  if (!reader.hasFaults() && steps.some(({ chips, words }) => chips.length + words.length === 0))
    reader.fault('a step is empty')
  return reader.outcome(steps)
}

/** Comma-separated fields, for grouping or for facets. */
export function parseFields(text: string): Parsed<FieldRef[]> {
  const reader = new Reader(text)
  const fields: FieldRef[] = []
  do {
    const ref = readFieldRef(reader)
    if (ref !== undefined) fields.push(ref)
  } while (reader.take(','))
  if (!reader.hasFaults() && !reader.isAtEnd()) reader.fault('expected a comma or the end')
  return reader.outcome(fields)
}

export function printFilter({ chips, words }: Filter): string {
  return [...chips.map(printChip), ...words.map(printWord)].join(' ')
}

export function printSequence(steps: readonly Filter[]): string {
  return steps.map(printFilter).join(' -> ')
}

export function printChip({ field, key, isNegated, operator, values }: Chip): string {
  const head = `${isNegated ? '-' : ''}${printField({ field, key })}`
  if (key !== '' && operator === 'exists') return head
  const sign = { is: '', contains: '~', exists: '*' }[operator as string] ?? operator
  return `${head}${key === '' ? ':' : '='}${sign}${values.map(printValue).join(',')}`
}

export function printField({ field, key }: FieldRef): string {
  return key === '' ? field : `${field}:${printValue(key)}`
}

/** Aliases of fields. */
const otherNames: ReadonlyMap<string, FieldName> = new Map([
  ['route', 'page'],
  ['element', 'target'],
  ['message', 'error'],
])

function readFilter(reader: Reader): Filter {
  const chips: Chip[] = []
  const words: string[] = []
  for (;;) {
    reader.skipSpace()
    if (reader.isAtEnd() || reader.isAtArrow() || reader.hasFaults()) break
    const start = reader.position
    const head = reader.takeMatch(/-?[a-z][a-z-]*:/y)
    if (head === undefined) words.push(reader.takeWord())
    else {
      const chip = readChip(reader, head, start)
      if (chip !== undefined) chips.push(chip)
    }
  }
  if (chips.length > limits.filterChips) reader.fault(`a filter has at most ${limits.filterChips} chips`)
  if (words.length > limits.filterWords) reader.fault(`a filter has at most ${limits.filterWords} words`)
  return { chips, words: words.filter((word) => word !== '') }
}

function readChip(reader: Reader, head: string, start: number): Chip | undefined {
  const isNegated = head.startsWith('-')
  const field = fieldOf(reader, head.slice(isNegated ? 1 : 0, -1), start)
  if (field === undefined) return undefined

  const key = fieldDefinition(field).isKeyed ? reader.takeValue(/[^\s,="]+/y) : ''
  if (fieldDefinition(field).isKeyed) {
    if (key === '') return reader.hasFaults() ? undefined : reader.fault(`${field}: needs a key`, start)
    if (!reader.take('=')) return { field, key, isNegated, operator: 'exists', values: [] }
  }
  const operator = reader.takeOperator()
  const values: string[] = []
  if (operator !== 'exists') {
    do values.push(reader.takeValue(/[^\s,"]+/y))
    while (reader.take(','))
  }
  if (!reader.isAtBreak()) return reader.fault('expected a space; quote values that contain spaces', start)
  const chip: Chip = { field, key, isNegated, operator, values }
  const message = checkChip(chip)
  return message === undefined ? chip : reader.fault(message, start)
}

function readFieldRef(reader: Reader): FieldRef | undefined {
  const start = reader.position
  const field = fieldOf(reader, reader.takeMatch(/[a-z][a-z-]*/y) ?? '', start)
  if (field === undefined) return undefined
  const key = reader.take(':') ? reader.takeValue(/[^\s,="]+/y) : ''
  if (key !== '' && !fieldDefinition(field).isKeyed) return reader.fault(`${field} has no key`, start)
  return { field, key }
}

function fieldOf(reader: Reader, name: string, start: number): FieldName | undefined {
  const field = otherNames.get(name) ?? name
  return isFieldName(field)
    ? field
    : reader.fault(`there is no field "${name}"; quote it to search for text`, start)
}

/** A value as written after its field, quoted if necessary. */
export function printValue(value: string): string {
  return /^[^\s,"=><~*\\][^\s,"=\\]*$/.test(value) ? value : quote(value)
}

function printWord(word: string): string {
  return /^[^\s"\\-][^\s"\\]*$/.test(word) && !/^[a-z][a-z-]*:/.test(word) ? word : quote(word)
}

function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

import type { Condition } from '@telltale/core/contract/conditions'

export type SegmentCondition = Extract<Condition, { operator: 'in-segment' | 'not-in-segment' }>
export type AttributeCondition = Exclude<Condition, SegmentCondition>
export type AttributeOperator = AttributeCondition['operator']
export type Scalar = string | number | boolean

/** The labels of the operators, in the order of the menu. */
export const operatorWords: Readonly<Record<AttributeOperator, string>> = {
  equals: 'is',
  'not-equals': 'is not',
  in: 'is one of',
  'not-in': 'is not one of',
  contains: 'contains',
  'not-contains': 'does not contain',
  'starts-with': 'starts with',
  'ends-with': 'ends with',
  matches: 'matches regex',
  'not-matches': 'does not match regex',
  greater: 'is more than',
  'greater-or-equal': 'is at least',
  less: 'is less than',
  'less-or-equal': 'is at most',
  'semver-equals': 'is version',
  'semver-greater': 'is greater than version',
  'semver-greater-or-equal': 'is at least version',
  'semver-less': 'is less than version',
  'semver-less-or-equal': 'is at most version',
  modulo: 'modulo',
  percentage: 'bucket is below',
  'is-set': 'is set',
  'is-not-set': 'is not set',
  flagsmith: 'compares as Flagsmith:',
}

export type FlagsmithCondition = Extract<Condition, { operator: 'flagsmith' }>

/** Operators kept from imports, in the order of the menu. */
export const flagsmithWords: Readonly<Record<FlagsmithCondition['compare'], string>> = {
  EQUAL: 'equals',
  NOT_EQUAL: 'does not equal',
  GREATER_THAN: 'is more than',
  GREATER_THAN_INCLUSIVE: 'is at least',
  LESS_THAN: 'is less than',
  LESS_THAN_INCLUSIVE: 'is at most',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'does not contain',
  REGEX: 'matches regex',
  MODULO: 'modulo, divisor|remainder',
  IN: 'is one of',
  IS_SET: 'is set',
  IS_NOT_SET: 'is not set',
  PERCENTAGE_SPLIT: 'bucket is below',
}

export const segmentWords: Readonly<Record<SegmentCondition['operator'], string>> = {
  'in-segment': 'is in',
  'not-in-segment': 'is not in',
}

export function isSegmentCondition(condition: Condition): condition is SegmentCondition {
  return 'segment' in condition
}

export function emptyCondition(): AttributeCondition {
  return { attribute: '', operator: 'equals', value: '' }
}

/** The same condition with another operator. The operand is kept where it is valid. */
export function withOperator(condition: AttributeCondition, operator: AttributeOperator): AttributeCondition {
  const { attribute } = condition
  const entered = operandsOf(condition)
  const [first] = entered
  switch (operator) {
    case 'equals':
    case 'not-equals':
      return { attribute, operator, value: first ?? '' }
    case 'in':
    case 'not-in':
      return { attribute, operator, values: entered.filter((value) => value !== '') }
    case 'contains':
    case 'not-contains':
    case 'starts-with':
    case 'ends-with':
    case 'matches':
    case 'not-matches':
    case 'semver-equals':
    case 'semver-greater':
    case 'semver-greater-or-equal':
    case 'semver-less':
    case 'semver-less-or-equal':
      return { attribute, operator, value: first === undefined || Number.isNaN(first) ? '' : String(first) }
    case 'greater':
    case 'greater-or-equal':
    case 'less':
    case 'less-or-equal':
      return { attribute, operator, value: measureOf(first) }
    case 'modulo':
      return { attribute, operator, divisor: 2, remainder: 0 }
    case 'percentage':
      return { attribute: attribute || 'targetingKey', operator, weight: 50_000, seed: newSeed() }
    case 'is-set':
    case 'is-not-set':
      return { attribute, operator }
    case 'flagsmith':
      // Not offered in the menu: only imports create it, and changing it is final.
      return condition
  }
}

/** Seeds the bucketing of a percentage. Not secret: it only has to be unique. */
export function newSeed(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('')
}

function operandsOf(condition: AttributeCondition): readonly Scalar[] {
  if ('values' in condition) return condition.values
  return 'value' in condition ? [condition.value] : []
}

/** A number, or an instant as text. `NaN` for anything else. */
function measureOf(value: Scalar | undefined): number | string {
  if (typeof value === 'number') return value
  const text = typeof value === 'string' ? value : ''
  return isInstant(text) ? text : numberOf(text)
}

export function isInstant(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/i.test(text) && !Number.isNaN(Date.parse(text))
}

/** `NaN` unless it is a number: incomplete, or empty. */
export function numberOf(text: string): number {
  const number = Number(text)
  return text.trim() === '' || !Number.isFinite(number) ? Number.NaN : number
}

export function wordsToOptions<Operator extends string>(words: Readonly<Record<Operator, string>>) {
  return entriesOf(words).map(([value, label]) => ({ value, label }))
}

/** A record with all members of a type has exactly its keys. */
function entriesOf<Name extends string>(record: Readonly<Record<Name, string>>): [Name, string][] {
  return Object.entries(record) as [Name, string][]
}

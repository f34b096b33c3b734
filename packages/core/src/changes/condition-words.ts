// The words of conditions, in the console and in the command.

import type { Condition } from '../contract/conditions.ts'
import { limits } from '../limits.ts'

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

/** Text that could be mistaken for another type is quoted. */
export function valueText(value: Scalar): string {
  const text = String(value)
  const isAmbiguous = text.trim() !== text || text === '' || /^(true|false|[+-]?[\d.]+)$/.test(text)
  return typeof value === 'string' && isAmbiguous ? `“${text}”` : text
}

export function percentText(weight: number): string {
  return `${weight / (limits.weightTotal / 100)}%`
}

// Negates a Flagsmith condition as alternatives of conditions: Flagsmith's rules can negate a whole list of conditions,
// but not a single one among alternatives.

import {
  escaped,
  exceptWhole,
  isPlain,
  plainList,
  readsAlike,
  semverShape,
  withoutFinding,
} from '../flagsmith-condition-text.ts'
import type { DocumentCondition } from './rule-clauses.ts'

/** The negation of an imported condition, only where it is exact for every trait value. */
export function exactNegation(condition: DocumentCondition): DocumentCondition[] | undefined {
  const { operator } = condition
  const value = condition.value ?? ''
  const isVersion = value.endsWith(':semver')
  const isOrder = operator.startsWith('GREATER_THAN') || operator.startsWith('LESS_THAN')
  const isPresence = operator === 'IS_SET' || operator === 'IS_NOT_SET'
  const isEquality = operator === 'EQUAL' || operator === 'NOT_EQUAL'
  // A number is neither above nor below a text that is not a number.
  const isList = operator === 'IN' && plainList(value).every(isPlain)
  const isExpression = operator === 'REGEX' && value !== '' && readsAlike(value)
  const isExact =
    isPresence ||
    isList ||
    isExpression ||
    (!isVersion && (isEquality || (isOrder && Number.isFinite(Number.parseFloat(value)))))
  return isExact ? negatedCondition(condition) : undefined
}

/** Undefined when no condition expresses it. */
export function negatedCondition(condition: DocumentCondition): DocumentCondition[] | undefined {
  const { operator, property_ = '' } = condition
  const value = condition.value ?? ''
  const conditionOf = (other: string, text: string | null): DocumentCondition => ({
    operator: other,
    property_,
    value: text,
  })
  // An attribute that is not set matches no operator, so it matches every negation.
  const unset = conditionOf('IS_NOT_SET', null)
  const without = (expression: string) => [unset, conditionOf('REGEX', withoutFinding(expression))]
  switch (operator) {
    case 'IS_SET':
      return [unset]
    case 'IS_NOT_SET':
      return [conditionOf('IS_SET', null)]
    case 'REGEX':
      return value === '' ? [unset, conditionOf('IS_SET', null)] : without(value)
    case 'CONTAINS':
      return without(escaped(value))
    case 'NOT_CONTAINS':
      return value === ''
        ? [unset, conditionOf('IS_SET', null)]
        : [unset, conditionOf('REGEX', escaped(value))]
    case 'IN': {
      const members = plainList(value).map(escaped)
      return [unset, conditionOf('REGEX', exceptWhole(members.join('|')))]
    }
    case 'EQUAL':
    case 'NOT_EQUAL':
    case 'GREATER_THAN':
    case 'GREATER_THAN_INCLUSIVE':
    case 'LESS_THAN':
    case 'LESS_THAN_INCLUSIVE': {
      if (!value.endsWith(':semver')) return [unset, conditionOf(opposites[operator], value)]
      // NOT_EQUAL alone compares versions as text; invalid versions are neither above nor below one.
      if (operator === 'NOT_EQUAL')
        return [unset, conditionOf('REGEX', `^${escaped(value.slice(0, -':semver'.length))}$`)]
      const others = operator === 'EQUAL' ? (['GREATER_THAN', 'LESS_THAN'] as const) : [opposites[operator]]
      return [
        unset,
        conditionOf('REGEX', exceptWhole(semverShape)),
        ...others.map((other) => conditionOf(other, value)),
      ]
    }
    case 'MODULO': {
      const [divisor = Number.NaN, remainder = Number.NaN] = value.split('|').map(Number)
      if (!(divisor <= largestDivisor)) return undefined
      const others = Array.from({ length: 2 * divisor - 1 }, (_, index) => index - divisor + 1)
        .filter((other) => other !== remainder)
        .map((other) => conditionOf('MODULO', `${divisor}|${other}`))
      return [unset, conditionOf('REGEX', exceptWhole('-?\\d+')), ...others]
    }
    default:
      return undefined
  }
}

/** Bounds the size: each other remainder needs a separate condition. */
const largestDivisor = 25

const opposites = {
  EQUAL: 'NOT_EQUAL',
  NOT_EQUAL: 'EQUAL',
  GREATER_THAN: 'LESS_THAN_INCLUSIVE',
  GREATER_THAN_INCLUSIVE: 'LESS_THAN',
  LESS_THAN: 'GREATER_THAN_INCLUSIVE',
  LESS_THAN_INCLUSIVE: 'GREATER_THAN',
} as const

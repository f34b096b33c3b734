import { isSegmentCondition } from '@telltale/core/changes/condition-words'
import type { Condition, ConditionGroup } from '@telltale/core/contract/conditions'
import { limits } from '@telltale/core/limits'

export interface ConditionFault {
  /** A JSON pointer, as in the server's errors. */
  readonly pointer: string
  readonly message: string
}

/** Missing inputs. The evaluator itself checks whether an operand is valid. */
export function findMissing(group: ConditionGroup, pointer = ''): ConditionFault[] {
  return group.of.flatMap((part, index) => {
    const at = `${pointer}/of/${index}`
    if ('match' in part) return findMissing(part, at)
    return missingOf(part).map(({ pointer: below, message }) => ({ pointer: `${at}${below}`, message }))
  })
}

export function countParts(group: ConditionGroup): number {
  return group.of.reduce((sum, part) => sum + 1 + ('match' in part ? countParts(part) : 0), 0)
}

/** Without their groups. */
export function countConditions(group: ConditionGroup): number {
  return group.of.reduce((sum, part) => sum + ('match' in part ? countConditions(part) : 1), 0)
}

function missingOf(condition: Condition): ConditionFault[] {
  if (isSegmentCondition(condition)) {
    return condition.segment === '' ? [{ pointer: '/segment', message: 'Choose a segment.' }] : []
  }
  const faults = operandFaults(condition)
  return condition.attribute === ''
    ? [{ pointer: '/attribute', message: 'Enter an attribute.' }, ...faults]
    : faults
}

function operandFaults(condition: Exclude<Condition, { segment: string }>): ConditionFault[] {
  if ('values' in condition) {
    return condition.values.length === 0 ? [{ pointer: '/values', message: 'Add at least one value.' }] : []
  }
  if ('divisor' in condition) return moduloFaults(condition)
  if ('weight' in condition) {
    const isShare = condition.weight >= 0 && condition.weight <= limits.weightTotal
    return isShare ? [] : [{ pointer: '/weight', message: 'Enter a percentage from 0 to 100.' }]
  }
  if ('value' in condition && Number.isNaN(condition.value)) {
    return [{ pointer: '/value', message: 'Enter a number.' }]
  }
  if (isOrder(condition.operator) && 'value' in condition && condition.value === '') {
    return [{ pointer: '/value', message: 'Enter a date and a time.' }]
  }
  return []
}

function moduloFaults({ divisor, remainder }: { divisor: number; remainder: number }): ConditionFault[] {
  const isGoodDivisor = Number.isInteger(divisor) && divisor >= 1 && divisor <= 1_000_000_000
  const isGoodRemainder = Number.isInteger(remainder) && remainder >= 0 && remainder < divisor
  return [
    ...(isGoodDivisor ? [] : [{ pointer: '/divisor', message: 'Enter a whole number from 1.' }]),
    ...(isGoodRemainder || !isGoodDivisor
      ? []
      : [{ pointer: '/remainder', message: `Enter a whole number from 0 to ${divisor - 1}.` }]),
  ]
}

function isOrder(operator: string): boolean {
  return ['greater', 'greater-or-equal', 'less', 'less-or-equal'].includes(operator)
}

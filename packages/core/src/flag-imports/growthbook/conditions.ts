// Conditions of GrowthBook as conditions here. The attribute `id` is the targeting key. A missing attribute counts as
// null there: it is unequal to everything, the number 0 and the version "0" in comparisons.

import { NotCarried, type Notes } from '../notes.ts'
import { all, any, isIn, isNotSet, none, type Term } from '../terms.ts'
import { looselyEquals } from './equality-terms.ts'
import { operatorTerm } from './operators.ts'

export interface ConditionScope {
  notes: Notes
  /** The segment of a saved group for an attribute; false for one that is missing. */
  inGroup(reference: GroupReference): Term
}

export interface GroupReference {
  id: string
  /** Undefined: the attribute of the group itself. */
  attribute: string | undefined
  /** Groups with conditions also count. */
  takesConditions: boolean
}

export type Condition = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is Condition {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function attributeOf(path: string): string {
  return path === 'id' ? 'targetingKey' : path
}

export function conditionTerm(condition: Condition, scope: ConditionScope): Term {
  return all(Object.entries(condition).map(([name, value]) => partTerm(name, value, scope)))
}

function partTerm(name: string, value: unknown, scope: ConditionScope): Term {
  switch (name) {
    case '$or': {
      const parts = listOf(name, value)
      return parts.length === 0 || any(parts.map((part) => conditionTerm(part, scope)))
    }
    case '$nor': {
      const parts = listOf(name, value)
      return parts.length > 0 && none(parts.map((part) => conditionTerm(part, scope)))
    }
    case '$and':
      return all(listOf(name, value).map((part) => conditionTerm(part, scope)))
    case '$not':
      if (!isObject(value)) throw new NotCarried('malformed', name)
      return none([conditionTerm(value, scope)])
    case '$savedGroup':
      return savedGroupTerm(value, scope)
    default:
      return valueTerm(value, attributeOf(name), scope)
  }
}

function listOf(name: string, value: unknown): Condition[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw new NotCarried('malformed', name)
  return value
}

function savedGroupTerm(value: unknown, { inGroup }: ConditionScope): Term {
  if (!isObject(value) || typeof value.id !== 'string') return false
  const { id, attributeKey } = value
  if (attributeKey !== undefined && typeof attributeKey !== 'string') return false
  const attribute = attributeKey === undefined ? undefined : attributeOf(attributeKey)
  return inGroup({ id, attribute, takesConditions: true })
}

/** A value, or operators that all have to match. */
export function valueTerm(value: unknown, attribute: string, scope: ConditionScope): Term {
  if (!isObject(value)) return looselyEquals(attribute, value, scope.notes)
  const names = Object.keys(value)
  if (names.length === 0 || !names.every((name) => name.startsWith('$'))) {
    throw new NotCarried('operator', `${attribute} as ${JSON.stringify(value)}`)
  }
  return all(names.map((operator) => applyOperator(operator, { attribute, value: value[operator] }, scope)))
}

interface Compared {
  attribute: string
  value: unknown
}

function applyOperator(operator: string, { attribute, value }: Compared, scope: ConditionScope): Term {
  switch (operator) {
    case '$not':
      return none([valueTerm(value, attribute, scope)])
    case '$inGroup':
    case '$notInGroup': {
      if (typeof value !== 'string') return false
      const found = scope.inGroup({ id: value, attribute, takesConditions: false })
      return operator === '$inGroup' ? found : none([found])
    }
    case '$elemMatch':
      return elementTerm(value, attribute, scope.notes)
    case '$exists':
      return value ? { attribute, operator: 'is-set' } : isNotSet(attribute)
    default:
      return operatorTerm(operator, { attribute, value, notes: scope.notes })
  }
}

/** A list with one of some values. */
function elementTerm(value: unknown, attribute: string, notes: Notes): Term {
  const values = isObject(value) && Object.keys(value).length === 1 ? (value.$in ?? [value.$eq]) : undefined
  const list = Array.isArray(values) ? values : []
  const scalars = list.filter((each) => ['string', 'number', 'boolean'].includes(typeof each))
  if (scalars.length === 0 || scalars.length < list.length) {
    throw new NotCarried('operator', `${attribute} $elemMatch ${JSON.stringify(value)}`)
  }
  notes.add('lists', `${attribute} $elemMatch`)
  return isIn(attribute, scalars)
}

// Imports the conditions of a Flagsmith segment unchanged.

import { type ConditionGroup, flagsmithOperators } from '../../contract/conditions.ts'
import type { DocumentRule, DocumentSegment } from '../../contract/flagsmith.ts'
import type { FlagsmithCondition } from '../flagsmith-condition.ts'
import { operandOf } from './context-of-document.ts'

export interface Place {
  environment: { key: string; name: string }
  segmentId: number
}

const matches = { ALL: 'all', ANY: 'any', NONE: 'none' } as const
const known = new Map<string, FlagsmithCondition['compare']>(flagsmithOperators.map((name) => [name, name]))

/** A Flagsmith segment never matches without an identity or without rules. */
export function importConditions(
  { id, rules }: DocumentSegment,
  environment: Place['environment'],
): ConditionGroup {
  if (rules.length === 0) return { match: 'any', of: [] }
  const place = { environment, segmentId: id }
  return {
    match: 'all',
    of: [
      { attribute: 'targetingKey', operator: 'is-set' },
      ...rules.flatMap((rule) => groupOf(rule, place) ?? []),
    ],
  }
}

/** Undefined for a rule that is always true. Conditions and nested rules are joined alike, but separately. */
function groupOf(
  { type, conditions = [], rules = [] }: DocumentRule,
  place: Place,
): ConditionGroup | undefined {
  const own = conditions.map((condition) => conditionOf(condition, place))
  const below = rules.map((rule) => groupOf(rule, place) ?? everyone)
  const match = matches[type]
  if (match !== 'any') {
    return own.length + below.length === 0 ? undefined : { match, of: [...own, ...below] }
  }
  const groups = [own, below].filter(({ length }) => length > 0).map((of): ConditionGroup => ({ match, of }))
  return groups.length > 1 ? { match: 'all', of: groups } : groups[0]
}

const everyone: ConditionGroup = { match: 'all', of: [] }
/** Unknown operators never match. */
const noUsers: ConditionGroup = { match: 'any', of: [] }

type DocumentCondition = NonNullable<DocumentRule['conditions']>[number]

function conditionOf(
  { operator, property_, value }: DocumentCondition,
  place: Place,
): FlagsmithCondition | ConditionGroup {
  const compare = known.get(operator)
  if (compare === undefined) return noUsers
  return {
    attribute: property_ ?? '',
    operator: 'flagsmith',
    compare,
    value: operandOf(operator, value),
    ...place,
  }
}

/** The same conditions for another environment of the project, because paths and identity keys depend on it. */
export function conditionsIn(group: ConditionGroup, environment: Place['environment']): ConditionGroup {
  return {
    ...group,
    of: group.of.map((part) => {
      if ('match' in part) return conditionsIn(part, environment)
      return part.operator === 'flagsmith' ? { ...part, environment } : part
    }),
  }
}

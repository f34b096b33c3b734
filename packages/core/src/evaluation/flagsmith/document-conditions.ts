// Conditions of ours in the words of Flagsmith, as far as it has any. What an import brought goes back as it came; what its
// clients cannot ask has no words, and the flag that needs it is left out of the document.

import type { Condition, ConditionGroup } from '../../contract/conditions.ts'
import type { DocumentRule } from '../../contract/flagsmith.ts'

type DocumentCondition = NonNullable<DocumentRule['conditions']>[number]

const types = { all: 'ALL', any: 'ANY', none: 'NONE' } as const

/** What a segment asks, by its key. */
export type FindSegment = (key: string) => ConditionGroup | undefined

/** The rules of a segment; undefined where something cannot be said. Of nobody: no rules. */
export function documentRules(group: ConditionGroup, findSegment: FindSegment): DocumentRule[] | undefined {
  if (group.match === 'any' && group.of.length === 0) return []
  // Flagsmith lets nobody without an identity into a segment: an import says so, and says it no more on the way back.
  const of = group.match === 'all' ? group.of.filter((part) => !isIdentityCheck(part)) : group.of
  const rule = ruleOf({ ...group, of }, findSegment)
  return rule && [rule]
}

function isIdentityCheck(part: Condition | ConditionGroup): boolean {
  return 'operator' in part && part.operator === 'is-set' && part.attribute === 'targetingKey'
}

function ruleOf({ match, of }: ConditionGroup, findSegment: FindSegment): DocumentRule | undefined {
  // Nobody: an empty list of Flagsmith's is always true.
  if (match === 'any' && of.length === 0) return nobody
  const rules: DocumentRule[] = []
  for (const part of of) {
    const rule = 'match' in part ? ruleOf(part, findSegment) : conditionRule(part, findSegment)
    if (rule === undefined) return undefined
    rules.push(rule)
  }
  return { type: types[match], rules, conditions: [] }
}

const nobody: DocumentRule = {
  type: 'NONE',
  rules: [{ type: 'ALL', rules: [], conditions: [] }],
  conditions: [],
}

/** A rule for each: which conditions stand beside rules matters there. */
function conditionRule(condition: Condition, findSegment: FindSegment): DocumentRule | undefined {
  if (condition.operator === 'flagsmith') {
    const { attribute, compare, value } = condition
    return one({ operator: compare, property_: attribute, value })
  }
  if ('segment' in condition) return membershipRule(condition, findSegment)
  if (condition.operator === 'percentage') return undefined
  const property_ = propertyOf(condition.attribute)
  const set = { operator: 'IS_SET', property_, value: null }
  const not = (rule: DocumentRule): DocumentRule => ({
    type: 'ALL',
    conditions: [set],
    rules: [{ type: 'NONE', rules: [rule], conditions: [] }],
  })
  switch (condition.operator) {
    case 'is-set':
      return one(set)
    case 'is-not-set':
      return one({ operator: 'IS_NOT_SET', property_, value: null })
    case 'equals':
      return equals(property_, [condition.value])
    case 'not-equals':
      return not(equals(property_, [condition.value]))
    case 'in':
      return equals(property_, condition.values)
    case 'not-in':
      return not(equals(property_, condition.values))
    case 'contains':
      return one({ operator: 'CONTAINS', property_, value: condition.value })
    case 'not-contains':
      return not(one({ operator: 'CONTAINS', property_, value: condition.value }))
    case 'matches':
      return expression(property_, condition.value)
    case 'not-matches': {
      const found = expression(property_, condition.value)
      return found && not(found)
    }
    case 'starts-with':
      return one({ operator: 'REGEX', property_, value: `^${escaped(condition.value)}` })
    case 'ends-with':
      return one({ operator: 'REGEX', property_, value: `${escaped(condition.value)}$` })
    case 'modulo':
      return remainder(property_, condition)
    case 'greater':
    case 'greater-or-equal':
    case 'less':
    case 'less-or-equal':
      // Dates are only text there.
      if (typeof condition.value !== 'number') return undefined
      return one({ operator: orders[condition.operator], property_, value: String(condition.value) })
    case 'semver-equals':
    case 'semver-greater':
    case 'semver-greater-or-equal':
    case 'semver-less':
    case 'semver-less-or-equal':
      return one({
        operator: versionOrders[condition.operator],
        property_,
        value: `${condition.value}:semver`,
      })
  }
}

/** A remainder has the sign of the number there: of one below zero it is the same one, less the divisor. */
function remainder(
  property_: string,
  { divisor, remainder: wanted }: Extract<Condition, { operator: 'modulo' }>,
): DocumentRule {
  const remainders = wanted === 0 ? [0] : [wanted, wanted - divisor]
  return {
    type: 'ANY',
    rules: [],
    conditions: remainders.map((each) => ({ operator: 'MODULO', property_, value: `${divisor}|${each}` })),
  }
}

/** Its clients read expressions as JavaScript does: only what means the same there can be said. */
function expression(property_: string, value: string): DocumentRule | undefined {
  if (value === '') return one({ operator: 'IS_SET', property_, value: null })
  return readsAlike(value) ? one({ operator: 'REGEX', property_, value }) : undefined
}

function readsAlike(value: string): boolean {
  const foreign = /\(\?(?!:)|\[\[|\[:|\\[^dDwWbBnrtfv.^$*+?()[\]{}|/\\-]/
  if (foreign.test(value)) return false
  try {
    new RegExp(value)
    return true
  } catch {
    // What is no expression there is found nowhere.
    return false
  }
}

type Membership = Extract<Condition, { operator: 'in-segment' | 'not-in-segment' }>

/** The segment's own rules in its place. One that is missing has nobody in it and nobody outside. */
function membershipRule(
  { operator, segment }: Membership,
  findSegment: FindSegment,
): DocumentRule | undefined {
  const group = findSegment(segment)
  if (group === undefined) return nobody
  const rule = ruleOf(group, findSegment)
  if (rule === undefined || operator === 'in-segment') return rule
  return { type: 'NONE', rules: [rule], conditions: [] }
}

const orders = {
  greater: 'GREATER_THAN',
  'greater-or-equal': 'GREATER_THAN_INCLUSIVE',
  less: 'LESS_THAN',
  'less-or-equal': 'LESS_THAN_INCLUSIVE',
} as const

const versionOrders = {
  'semver-equals': 'EQUAL',
  'semver-greater': 'GREATER_THAN',
  'semver-greater-or-equal': 'GREATER_THAN_INCLUSIVE',
  'semver-less': 'LESS_THAN',
  'semver-less-or-equal': 'LESS_THAN_INCLUSIVE',
} as const

function one(condition: DocumentCondition): DocumentRule {
  return { type: 'ALL', rules: [], conditions: [condition] }
}

function propertyOf(attribute: string): string {
  return attribute === 'targetingKey' ? '$.identity.identifier' : attribute
}

/** A list for all texts, so that a comma in one of them divides nothing; booleans and numbers one by one. */
function equals(property_: string, values: readonly (string | number | boolean)[]): DocumentRule {
  // No text of no length is in a list there.
  const texts = values.filter((value) => typeof value === 'string' && value !== '')
  const others = values.filter((value) => typeof value !== 'string' || value === '')
  return {
    type: 'ANY',
    rules: [],
    conditions: [
      ...(texts.length > 0 ? [{ operator: 'IN', property_, value: JSON.stringify(texts) }] : []),
      ...others.map((value) => ({ operator: 'EQUAL', property_, value: String(value) })),
    ],
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

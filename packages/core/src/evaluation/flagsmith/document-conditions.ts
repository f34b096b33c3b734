// Translates conditions to Flagsmith's format. Imported conditions are returned unchanged. A condition that its clients
// cannot express has no translation, and its flag is left out of the document.

import type { Condition, ConditionGroup } from '../../contract/conditions.ts'
import type { DocumentRule } from '../../contract/flagsmith.ts'
import { escaped, isPlain, readsAlike, semverShape } from '../flagsmith-condition-text.ts'
import { documentRule, nestedRule } from './document-rule.ts'
import { exactNegation, negatedCondition } from './negated-condition.ts'
import { clausesOf, type Formula } from './rule-clauses.ts'

/** The conditions of a segment, by its key. */
export type FindSegment = (key: string) => ConditionGroup | undefined

interface Scope {
  findSegment: FindSegment
  /** The segment of these rules, which seeds their percentages. */
  segmentId: number
}

/** The rules of a segment; undefined when a condition cannot be expressed. Empty for a segment that never matches. */
export function documentRules(group: ConditionGroup, scope: Scope): DocumentRule[] | undefined {
  const formula = formulaOf(group, scope)
  if (formula === undefined) return undefined
  const clauses = clausesOf(formula)
  if (clauses?.some(({ length }) => length === 0)) return []
  return [(clauses && documentRule(clauses)) ?? nestedRule(formula)]
}

const always: Formula = { all: [] }
const never: Formula = { any: [] }

function formulaOf({ match, of }: ConditionGroup, scope: Scope): Formula | undefined {
  const parts: Formula[] = []
  for (const part of of) {
    const formula = 'match' in part ? formulaOf(part, scope) : conditionFormula(part, scope)
    if (formula === undefined) return undefined
    parts.push(formula)
  }
  return match === 'all' ? { all: parts } : match === 'any' ? { any: parts } : { none: parts }
}

function conditionFormula(requested: Condition, scope: Scope): Formula | undefined {
  if (requested.operator === 'flagsmith') {
    const { attribute, compare, value, segmentId } = requested
    // In another segment, the same percentage would select different users.
    if (compare === 'PERCENTAGE_SPLIT' && segmentId !== scope.segmentId) return undefined
    // Without a property only a percentage can match.
    if (attribute === '' && compare !== 'PERCENTAGE_SPLIT') return never
    const condition = { operator: compare, property_: attribute, value }
    return { condition, negation: exactNegation(condition) }
  }
  if ('segment' in requested) return membership(requested, scope)
  if (requested.operator === 'percentage') return undefined
  // Flagsmith's clients evaluate rules only for an identity.
  if (requested.attribute === 'targetingKey' && requested.operator === 'is-set') return always
  if (requested.attribute === 'targetingKey' && requested.operator === 'is-not-set') return never
  return nativeFormula(requested)
}

type NativeCondition = Exclude<
  Condition,
  { operator: 'flagsmith' | 'in-segment' | 'not-in-segment' | 'percentage' }
>

function nativeFormula(condition: NativeCondition): Formula | undefined {
  const property_ = propertyOf(condition.attribute)
  const conditionOf = (operator: string, value: string | null): Formula => {
    const written = { operator, property_, value }
    return { condition: written, negation: negatedCondition(written) }
  }
  const set = conditionOf('IS_SET', null)
  // An attribute that is not set matches no operator here, negated or not.
  const not = (formula: Formula): Formula => ({ all: [set, { none: [formula] }] })
  const found = (text: string) => (text === '' ? set : conditionOf('REGEX', text))
  const oneOf = (values: readonly (string | number | boolean)[]): Formula => {
    const texts = values.map(String)
    return texts.every(isPlain)
      ? conditionOf('IN', texts.join(','))
      : conditionOf('REGEX', `^(?:${texts.map(escaped).join('|')})$`)
  }
  switch (condition.operator) {
    case 'is-set':
      return set
    case 'is-not-set':
      return conditionOf('IS_NOT_SET', null)
    case 'equals':
      return oneOf([condition.value])
    case 'not-equals':
      return not(oneOf([condition.value]))
    case 'in':
      return oneOf(condition.values)
    case 'not-in':
      return not(oneOf(condition.values))
    // Engines before 7 fail when CONTAINS meets a number, so use an expression, which matches the number's text.
    case 'contains':
      return found(escaped(condition.value))
    case 'not-contains':
      return not(found(escaped(condition.value)))
    case 'matches':
      return readsAlike(condition.value) ? found(condition.value) : undefined
    case 'not-matches':
      return readsAlike(condition.value) ? not(found(condition.value)) : undefined
    case 'starts-with':
      return conditionOf('REGEX', `^${escaped(condition.value)}`)
    case 'ends-with':
      return conditionOf('REGEX', `${escaped(condition.value)}$`)
    case 'modulo': {
      // Flagsmith's remainder has the dividend's sign: for a negative dividend it is the remainder minus the divisor.
      const { divisor, remainder } = condition
      const remainders = remainder === 0 ? [0] : [remainder, remainder - divisor]
      return { any: remainders.map((each) => conditionOf('MODULO', `${divisor}|${each}`)) }
    }
    case 'greater':
    case 'greater-or-equal':
    case 'less':
    case 'less-or-equal':
      // Flagsmith compares dates as text.
      return typeof condition.value === 'number'
        ? conditionOf(orders[condition.operator], String(condition.value))
        : undefined
    case 'semver-equals':
    case 'semver-greater':
    case 'semver-greater-or-equal':
    case 'semver-less':
    case 'semver-less-or-equal': {
      const order = conditionOf(versionOrders[condition.operator], `${condition.value}:semver`)
      return { all: [conditionOf('REGEX', `^${semverShape}$`), order] }
    }
  }
}

type Membership = Extract<Condition, { operator: 'in-segment' | 'not-in-segment' }>

/** Inlines the segment's rules. For a missing segment neither in-segment nor not-in-segment matches. */
function membership({ operator, segment }: Membership, scope: Scope): Formula | undefined {
  const group = scope.findSegment(segment)
  if (group === undefined) return never
  const formula = formulaOf(group, scope)
  if (formula === undefined || operator === 'in-segment') return formula
  return { none: [formula] }
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

function propertyOf(attribute: string): string {
  return attribute === 'targetingKey' ? '$.identity.identifier' : attribute
}

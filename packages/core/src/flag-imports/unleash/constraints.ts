// Constraints of Unleash as conditions. `userId` is the targeting key here, properties are attributes. Values are text
// there, so numbers match the text of the same number; an inverted constraint also matches a missing attribute.

import type { UnleashConstraint } from '../../contract/unleash.ts'
import { parseVersion } from '../../evaluation/semver.ts'
import { checkExpression } from '../check-expression.ts'
import { NotCarried, type Notes } from '../notes.ts'
import {
  all,
  any,
  compareInstant,
  equalsNumber,
  escapeText,
  isIn,
  none,
  spellings,
  type Term,
} from '../terms.ts'

export function attributeOf(contextName: string): string {
  return contextName === 'userId' ? 'targetingKey' : contextName
}

export function constraintTerm(constraint: UnleashConstraint, notes: Notes): Term {
  const found = foundTerm(constraint, notes)
  return constraint.inverted === true ? none([found]) : found
}

function foundTerm(constraint: UnleashConstraint, notes: Notes): Term {
  const { contextName, operator } = constraint
  if (contextName === '') throw new NotCarried('malformed', operator)
  const attribute = attributeOf(contextName)
  const values = (constraint.values ?? []).filter((value) => value !== '').map((value) => value.trim())
  switch (operator) {
    case 'IN':
      return isIn(attribute, values.flatMap(spellings))
    case 'NOT_IN':
      return none([isIn(attribute, values.flatMap(spellings))])
    case 'STR_STARTS_WITH':
    case 'STR_ENDS_WITH':
    case 'STR_CONTAINS':
      notes.add('numbers-in-text', `${contextName} ${operator}`)
      return any(values.map((value) => textTerm(constraint, { attribute, value })))
    case 'REGEX':
      return regexTerm(constraint, { attribute, notes })
    case 'NUM_EQ':
    case 'NUM_GT':
    case 'NUM_GTE':
    case 'NUM_LT':
    case 'NUM_LTE':
      return numberTerm(operator, { attribute, value: Number(constraint.value ?? ''), notes })
    case 'DATE_AFTER':
    case 'DATE_BEFORE':
      return dateTerm(operator, constraint.value, notes)
    case 'SEMVER_EQ':
    case 'SEMVER_GT':
    case 'SEMVER_GTE':
    case 'SEMVER_LT':
    case 'SEMVER_LTE':
      return versionTerm(operator, { attribute, value: String(constraint.value ?? '') })
    default:
      throw new NotCarried('operator', `${contextName} ${operator}`)
  }
}

function textTerm(
  { operator, caseInsensitive }: UnleashConstraint,
  { attribute, value }: { attribute: string; value: string },
): Term {
  const start = operator === 'STR_STARTS_WITH'
  const end = operator === 'STR_ENDS_WITH'
  if (caseInsensitive === true) {
    const expression = `(?i)${start ? '^' : ''}${escapeText(value)}${end ? '$' : ''}`
    checkExpression(expression)
    return { attribute, operator: 'matches', value: expression }
  }
  return { attribute, operator: start ? 'starts-with' : end ? 'ends-with' : 'contains', value }
}

/** Both use RE2. */
function regexTerm(
  { contextName, value, caseInsensitive }: UnleashConstraint,
  { attribute, notes }: { attribute: string; notes: Notes },
): Term {
  const expression = `${caseInsensitive === true ? '(?i)' : ''}${value ?? ''}`
  checkExpression(expression)
  notes.add('numbers-in-text', `${contextName} REGEX`)
  return { attribute, operator: 'matches', value: expression }
}

const orderOperators = {
  NUM_GT: 'greater',
  NUM_GTE: 'greater-or-equal',
  NUM_LT: 'less',
  NUM_LTE: 'less-or-equal',
} as const

interface Compared<Value> {
  attribute: string
  value: Value
  notes: Notes
}

function numberTerm(
  operator: 'NUM_EQ' | keyof typeof orderOperators,
  { attribute, value, notes }: Compared<number>,
): Term {
  if (Number.isNaN(value)) return false
  if (!Number.isFinite(value)) throw new NotCarried('operator', `${attribute} ${operator} ${value}`)
  notes.add('odd-numbers', `${attribute} ${operator}`)
  if (operator === 'NUM_EQ') return equalsNumber(attribute, value)
  return { attribute, operator: orderOperators[operator], value }
}

/** Always compares `currentTime`, whatever the constraint names. */
function dateTerm(
  operator: 'DATE_AFTER' | 'DATE_BEFORE',
  value: string | number | null | undefined,
  notes: Notes,
): Term {
  const at = Date.parse(String(value ?? ''))
  if (Number.isNaN(at)) return false
  notes.add('current-time', `${operator} ${value}`)
  return compareInstant('currentTime', operator === 'DATE_AFTER' ? 'greater' : 'less', at)
}

const versionOperators = {
  SEMVER_EQ: 'semver-equals',
  SEMVER_GT: 'semver-greater',
  SEMVER_GTE: 'semver-greater-or-equal',
  SEMVER_LT: 'semver-less',
  SEMVER_LTE: 'semver-less-or-equal',
} as const

/** An invalid version matches no one there. */
function versionTerm(
  operator: keyof typeof versionOperators,
  { attribute, value }: { attribute: string; value: string },
): Term {
  const version = value.trim().replace(/^[v=]+/, '')
  if (parseVersion(version) === undefined) return false
  return { attribute, operator: versionOperators[operator], value: version }
}

export function allConstraints(constraints: readonly UnleashConstraint[], notes: Notes): Term {
  return all(constraints.map((constraint) => constraintTerm(constraint, notes)))
}

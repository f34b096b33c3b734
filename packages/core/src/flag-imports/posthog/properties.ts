// Properties of PostHog as conditions. The distinct id is the targeting key here, person properties are attributes, and
// those of a group are in a structure of its type: `company.plan`, with its key in `company.key`. A missing property
// matches only negations, as on PostHog's server; its SDKs cannot decide it.

import type { PostHogProperty } from '../../contract/posthog.ts'
import { parseInstant } from '../../evaluation/instant.ts'
import { checkExpression } from '../check-expression.ts'
import { NotCarried, type Notes } from '../notes.ts'
import {
  all,
  any,
  compareInstant,
  escapeText,
  isIn,
  isNotSet,
  isSet,
  none,
  spellings,
  type Term,
} from '../terms.ts'
import { versionTerm } from './versions.ts'

export interface PropertyScope {
  notes: Notes
  /** Of the properties: `company.` for a group. */
  prefix: string
  /** Since version 2, "true" is a text like any other. */
  matchingVersion: number
  inCohort(id: string): Term
}

/** A list that is short enough to be compared without letter case, as one expression for each value. */
const shortList = { items: 10, length: 200 }

export function propertyTerm(property: PostHogProperty, scope: PropertyScope): Term {
  const { type, operator, value } = property
  if (type === 'cohort') {
    const found = scope.inCohort(String(value))
    return operator === 'not_in' ? none([found]) : found
  }
  if (type === 'flag') throw new NotCarried('dependency', `of one condition on flag ${property.key}`)
  const key = String(property.key ?? '')
  if (key === '') throw new NotCarried('malformed', 'a property without key')
  const attribute = `${scope.prefix}${key}`
  return operatorTerm(operator || 'exact', { attribute, value, scope })
}

interface Compared {
  attribute: string
  value: unknown
  scope: PropertyScope
}

function operatorTerm(operator: string, compared: Compared): Term {
  const { attribute, value, scope } = compared
  switch (operator) {
    case 'exact':
      return exactTerm(compared)
    case 'is_not':
      return none([exactTerm(compared)])
    case 'is_set':
      return isSet(attribute)
    case 'is_not_set':
      return isNotSet(attribute)
    case 'icontains':
    case 'starts_with':
    case 'ends_with':
      return textTerm(operator, compared)
    case 'not_icontains':
      return none([textTerm('icontains', compared)])
    case 'not_starts_with':
      return none([textTerm('starts_with', compared)])
    case 'not_ends_with':
      return none([textTerm('ends_with', compared)])
    case 'regex':
    case 'not_regex':
      return regexTerm(operator, compared)
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return orderTerm(operator, compared)
    case 'is_date_after':
    case 'is_date_before':
      return dateTerm(operator, compared)
    default:
      return versionTerm(operator, { attribute, value: String(value ?? ''), notes: scope.notes })
  }
}

/** The text of the value, in any letter case. */
function exactTerm({ attribute, value, scope }: Compared): Term {
  const values = Array.isArray(value) ? value : [value]
  if (scope.matchingVersion !== 2 && values.length > 0 && values.every(isTruth)) {
    const isTrue = values.every((each) => String(each).toLowerCase() === 'true')
    const term = any([isIn(attribute, [true]), anyCase(attribute, 'true')])
    scope.notes.add('lists', `${attribute} = ${values.join(', ')}`)
    return isTrue ? term : all([isSet(attribute), none([term])])
  }
  const texts = values.map((each) => textOf(attribute, each))
  const cased = texts.filter((text) => text.toLowerCase() !== text.toUpperCase())
  const plain = texts.filter((text) => text.toLowerCase() === text.toUpperCase())
  scope.notes.add('lists', `${attribute} = ${texts.slice(0, 3).join(', ')}`)
  const isShort = cased.length <= shortList.items && cased.join('').length <= shortList.length
  if (!isShort) scope.notes.add('letter-case', `${attribute}: ${cased.length} values`)
  const inAnyCase = isShort
    ? cased.map((text) => any([anyCase(attribute, text), isIn(attribute, spellings(text).filter(isNotText))]))
    : [
        isIn(
          attribute,
          cased.flatMap((text) => [...spellings(text), text.toLowerCase()]),
        ),
      ]
  return any([...inAnyCase, isIn(attribute, plain.flatMap(spellings))])
}

const isNotText = (value: unknown) => typeof value !== 'string'

function isTruth(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && /^(true|false)$/i.test(value))
}

function textOf(attribute: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  throw new NotCarried('operator', `${attribute} = ${JSON.stringify(value)}`)
}

function anyCase(attribute: string, text: string): Term {
  return matching(attribute, `(?i)^${escapeText(text)}$`)
}

function matching(attribute: string, expression: string): Term {
  checkExpression(expression)
  return { attribute, operator: 'matches', value: expression }
}

function textTerm(
  operator: 'icontains' | 'starts_with' | 'ends_with',
  { attribute, value, scope }: Compared,
): Term {
  const text = escapeText(textOf(attribute, value))
  scope.notes.add('numbers-in-text', `${attribute} ${operator}`)
  const start = operator === 'starts_with' ? '^' : ''
  const end = operator === 'ends_with' ? '$' : ''
  return matching(attribute, `(?i)${start}${text}${end}`)
}

/** An invalid expression matches no one, negated or not. */
function regexTerm(operator: 'regex' | 'not_regex', { attribute, value, scope }: Compared): Term {
  const expression = String(value)
  checkExpression(expression)
  scope.notes.add('numbers-in-text', `${attribute} ${operator}`)
  const term = matching(attribute, expression)
  return operator === 'regex' ? term : none([term])
}

const orders = { gt: 'greater', gte: 'greater-or-equal', lt: 'less', lte: 'less-or-equal' } as const

function orderTerm(operator: keyof typeof orders, { attribute, value, scope }: Compared): Term {
  const number = typeof value === 'number' ? value : Number.parseFloat(String(value))
  if (!Number.isFinite(number)) {
    throw new NotCarried('operator', `${attribute} ${operator} ${JSON.stringify(value)}`)
  }
  scope.notes.add('odd-numbers', `${attribute} ${operator}`)
  return { attribute, operator: orders[operator], value: number }
}

function dateTerm(operator: 'is_date_after' | 'is_date_before', { attribute, value, scope }: Compared): Term {
  const text = String(value)
  if (/^-?\d+[a-z]$/.test(text)) throw new NotCarried('relative-date', `${attribute} ${operator} ${text}`)
  const at = typeof value === 'number' ? value : instantOf(text)
  if (Number.isNaN(at)) throw new NotCarried('operator', `${attribute} ${operator} ${text}`)
  scope.notes.add('odd-dates', `${attribute} ${operator}`)
  return compareInstant(attribute, operator === 'is_date_after' ? 'greater' : 'less', at)
}

/** A date alone is its start in UTC. Times without a zone are ambiguous. */
function instantOf(text: string): number {
  return parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
}

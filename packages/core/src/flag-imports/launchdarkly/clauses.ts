// Clauses of LaunchDarkly as conditions. A context of the kind `user` is the evaluation context here, its `key` the
// targeting key; another kind is a structure of its name: `organization.plan`, with its key in `organization.key`.

import type { LaunchDarklyClause } from '../../contract/launchdarkly.ts'
import { parseInstant } from '../../evaluation/instant.ts'
import { parseVersion } from '../../evaluation/semver.ts'
import { checkExpression } from '../check-expression.ts'
import { NotCarried, type Notes } from '../notes.ts'
import { all, any, compareInstant, isIn, isSet, none, type Term } from '../terms.ts'

export interface ClauseScope {
  notes: Notes
  /** Membership in a segment; false for one that does not exist. */
  inSegment(key: string): Term
}

export function clauseTerm(clause: LaunchDarklyClause, scope: ClauseScope): Term {
  const { op, values, negate } = clause
  if (op === 'segmentMatch') {
    const found = any(values.map((value) => (typeof value === 'string' ? scope.inSegment(value) : false)))
    return negate === true ? none([found]) : found
  }
  if (clause.attribute === 'kind') return kindTerm(clause)
  const attribute = attributeOf(clause.attribute ?? '', clause.contextKind)
  if (isAnonymous(clause)) return anonymousTerm(clause, attribute)

  const found = any(values.map((value) => valueTerm(clause, { attribute, value, notes: scope.notes })))
  const matched = op === 'in' ? isIn(attribute, values.filter(isScalar)) : found
  if (negate !== true) return matched
  // A clause never matches a missing attribute, negated or not.
  if (op === 'in' && typeof matched === 'object' && 'operator' in matched && matched.operator === 'in') {
    return { attribute, operator: 'not-in', values: matched.values }
  }
  return all([isSet(attribute), none([matched])])
}

const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** The attribute by its name (older clauses) or its reference, such as `/address/city`. */
export function attributeOf(reference: string, contextKind: string | null | undefined): string {
  const isReference = typeof contextKind === 'string' && contextKind !== '' && reference.startsWith('/')
  const parts = isReference
    ? reference
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    : [reference]
  if (parts.some((part) => part === '')) throw new NotCarried('malformed', `attribute "${reference}"`)
  if (parts.length > 1 && parts.some((part) => part.includes('.'))) {
    throw new NotCarried('operator', `attribute ${reference}`)
  }
  const kind = contextKind || 'user'
  if (kind !== 'user') return [kind, ...parts].join('.')
  return parts.length === 1 && parts[0] === 'key' ? 'targetingKey' : parts.join('.')
}

/** The kinds of the context: those whose key is set. */
function kindTerm({ op, values, negate }: LaunchDarklyClause): Term {
  if (op !== 'in') throw new NotCarried('operator', `kind ${op}`)
  const kinds = values.filter((value) => typeof value === 'string' && value !== 'multi')
  const found = any(kinds.map((kind) => isSet(attributeOf('key', String(kind)))))
  return negate === true ? none([found]) : found
}

const isAnonymous = ({ attribute }: LaunchDarklyClause) =>
  attribute === 'anonymous' || attribute === '/anonymous'

/** `anonymous` is false where it is missing, in every context that has the kind. */
function anonymousTerm({ op, values, negate, contextKind }: LaunchDarklyClause, attribute: string): Term {
  if (op !== 'in') return false
  const is: Term = { attribute, operator: 'equals', value: true }
  const found = any([values.includes(true) && is, values.includes(false) && none([is])])
  return all([isSet(attributeOf('key', contextKind)), negate === true ? none([found]) : found])
}

interface Compared {
  attribute: string
  value: unknown
  notes: Notes
}

function valueTerm({ op }: LaunchDarklyClause, { attribute, value, notes }: Compared): Term {
  switch (op) {
    case 'in':
      return isScalar(value) ? isIn(attribute, [value]) : unsupported(op, value)
    case 'startsWith':
    case 'endsWith':
    case 'contains':
    case 'matches':
      return typeof value === 'string' ? textTerm(op, { attribute, value, notes }) : false
    case 'lessThan':
    case 'lessThanOrEqual':
    case 'greaterThan':
    case 'greaterThanOrEqual':
      return typeof value === 'number' ? numberTerm(op, { attribute, value, notes }) : false
    case 'before':
    case 'after':
      return dateTerm(op, { attribute, value, notes })
    case 'semVerEqual':
    case 'semVerLessThan':
    case 'semVerGreaterThan':
      return versionTerm(op, { attribute, value, notes })
    default:
      return unsupported(op, value)
  }
}

function unsupported(op: string, value: unknown): never {
  throw new NotCarried('operator', `${op} ${JSON.stringify(value)}`)
}

const textOperators = {
  startsWith: 'starts-with',
  endsWith: 'ends-with',
  contains: 'contains',
  matches: 'matches',
} as const

type Text = Compared & { value: string }

function textTerm(op: keyof typeof textOperators, { attribute, value, notes }: Text): Term {
  if (op === 'matches') checkExpression(value)
  notes.add('lists', `${attribute} ${textOperators[op]}`)
  return { attribute, operator: textOperators[op], value }
}

const orderOperators = {
  lessThan: 'less',
  lessThanOrEqual: 'less-or-equal',
  greaterThan: 'greater',
  greaterThanOrEqual: 'greater-or-equal',
} as const

function numberTerm(
  op: keyof typeof orderOperators,
  { attribute, value, notes }: Compared & { value: number },
): Term {
  notes.add('numbers-as-text', `${attribute} ${orderOperators[op]}`)
  notes.add('lists', `${attribute} ${orderOperators[op]}`)
  return { attribute, operator: orderOperators[op], value }
}

function dateTerm(op: 'before' | 'after', { attribute, value, notes }: Compared): Term {
  const at = typeof value === 'number' ? value : typeof value === 'string' ? parseInstant(value) : Number.NaN
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return unsupported(op, value)
  notes.add('numbers-as-text', `${attribute} ${op}`)
  notes.add('lists', `${attribute} ${op}`)
  return compareInstant(attribute, op === 'before' ? 'less' : 'greater', at)
}

const versionOperators = {
  semVerEqual: 'semver-equals',
  semVerLessThan: 'semver-less',
  semVerGreaterThan: 'semver-greater',
} as const

function versionTerm(op: keyof typeof versionOperators, { attribute, value, notes }: Compared): Term {
  const version = typeof value === 'string' ? wholeVersion(value) : undefined
  // The clause matches no one there either.
  if (version === undefined) return false
  notes.add('partial-versions', `${attribute} ${versionOperators[op]}`)
  notes.add('lists', `${attribute} ${versionOperators[op]}`)
  return { attribute, operator: versionOperators[op], value: version }
}

/** `2` and `2.1` are `2.0.0` and `2.1.0` there. */
function wholeVersion(text: string): string | undefined {
  if (parseVersion(text) !== undefined) return text
  const release = /^\d+(\.\d+)?(\.\d+)?/.exec(text)
  if (release === null) return undefined
  const [found, minor, patch] = release
  const padded = found + (minor === undefined ? '.0' : '') + (patch === undefined ? '.0' : '')
  const version = padded + text.slice(found.length)
  return parseVersion(version) === undefined ? undefined : version
}

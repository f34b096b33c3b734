import { parseInstant } from '../../evaluation/instant.ts'
import { parseVersion } from '../../evaluation/semver.ts'
import { compileExpression } from '../../evaluation/text.ts'
import { checkExpression } from '../check-expression.ts'
import { NotCarried, type Notes } from '../notes.ts'
import { all, any, escapeText, isIn, isNotSet, isSet, none, type Term } from '../terms.ts'
import { isScalar, looselyEquals, strictlyIn } from './equality-terms.ts'

interface Compared {
  attribute: string
  value: unknown
  notes: Notes
}

/** One operator of a condition. Each file-local function says what a missing attribute does. */
export function operatorTerm(operator: string, compared: Compared): Term {
  const { attribute, value } = compared
  switch (operator) {
    case '$eq':
      return equalTerm(attribute, value)
    case '$ne':
      return none([equalTerm(attribute, value)])
    case '$in':
      return Array.isArray(value) && strictlyIn(attribute, value)
    case '$nin':
      return Array.isArray(value) && none([strictlyIn(attribute, value)])
    case '$ini':
      return Array.isArray(value) && anyCase(compared, value)
    case '$nini':
      return Array.isArray(value) && none([anyCase(compared, value)])
    case '$all':
      return Array.isArray(value) && allTerm(compared, value)
    case '$lt':
    case '$lte':
    case '$gt':
    case '$gte':
      return orderTerm(operator, compared)
    case '$regex':
    case '$regexi':
      return regexTerm(operator, compared)
    case '$veq':
    case '$vne':
    case '$vlt':
    case '$vlte':
    case '$vgt':
    case '$vgte':
      return versionTerm(operator, compared)
    case '$type':
      return typeTerm(compared)
    default:
      throw new NotCarried('operator', `${attribute} ${operator} ${JSON.stringify(value)}`)
  }
}

function equalTerm(attribute: string, value: unknown): Term {
  if (value === null) return isNotSet(attribute)
  if (!isScalar(value)) throw new NotCarried('operator', `${attribute} $eq ${JSON.stringify(value)}`)
  return { attribute, operator: 'equals', value }
}

function anyCase({ attribute, notes }: Compared, values: readonly unknown[]): Term {
  const texts = values.filter((value) => typeof value === 'string')
  const others = values.filter((value) => typeof value !== 'string')
  const term = any(
    texts.map((text): Term => {
      const expression = `(?i)^${escapeText(text)}$`
      checkExpression(expression)
      return { attribute, operator: 'matches', value: expression }
    }),
  )
  notes.add('lists', `${attribute} $ini`)
  return any([term, strictlyIn(attribute, others)])
}

function allTerm({ attribute, notes }: Compared, values: readonly unknown[]): Term {
  notes.add('lists', `${attribute} $all`)
  return all([isSet(attribute), ...values.map((value) => memberTerm(attribute, value, notes))])
}

function memberTerm(attribute: string, value: unknown, notes: Notes): Term {
  if (typeof value === 'string') return looselyEquals(attribute, value, notes)
  if (typeof value === 'number') return isIn(attribute, [value, String(value)])
  throw new NotCarried('operator', `${attribute} $all ${JSON.stringify(value)}`)
}

const orders = {
  $lt: { operator: 'less', holds: (distance: number) => distance < 0 },
  $lte: { operator: 'less-or-equal', holds: (distance: number) => distance <= 0 },
  $gt: { operator: 'greater', holds: (distance: number) => distance > 0 },
  $gte: { operator: 'greater-or-equal', holds: (distance: number) => distance >= 0 },
} as const

/** Numbers by their value, also a missing one as 0; text as an instant, which orders like text in one format. */
function orderTerm(name: keyof typeof orders, { attribute, value, notes }: Compared): Term {
  const { operator, holds } = orders[name]
  if (typeof value === 'number') {
    notes.add('odd-numbers', `${attribute} ${name}`)
    notes.add('lists', `${attribute} ${name}`)
    const zero = holds(0 - value) ? any([isNotSet(attribute), isIn(attribute, [false, ''])]) : false
    const one = holds(1 - value) && isIn(attribute, [true])
    return any([{ attribute, operator, value }, zero, one])
  }
  if (typeof value === 'string' && !Number.isNaN(parseInstant(value))) {
    notes.add('odd-dates', `${attribute} ${name}`)
    notes.add('lists', `${attribute} ${name}`)
    return { attribute, operator, value }
  }
  throw new NotCarried('operator', `${attribute} ${name} ${JSON.stringify(value)}`)
}

/** A missing attribute is the text "null" for an expression. */
function regexTerm(name: '$regex' | '$regexi', { attribute, value, notes }: Compared): Term {
  if (typeof value !== 'string') throw new NotCarried('operator', `${attribute} ${name}`)
  const expression = name === '$regexi' ? `(?i)${value}` : value
  checkExpression(expression)
  notes.add('numbers-in-text', `${attribute} ${name}`)
  notes.add('lists', `${attribute} ${name}`)
  const matchesMissing = compileExpression(expression).test('null')
  return any([{ attribute, operator: 'matches', value: expression }, matchesMissing && isNotSet(attribute)])
}

const versionOrders = {
  $veq: 'semver-equals',
  $vne: 'semver-equals',
  $vlt: 'semver-less',
  $vlte: 'semver-less-or-equal',
  $vgt: 'semver-greater',
  $vgte: 'semver-greater-or-equal',
} as const

/** A missing attribute is the version "0", which is below every full version. */
function versionTerm(name: keyof typeof versionOrders, { attribute, value, notes }: Compared): Term {
  const version = typeof value === 'string' ? wholeVersion(value) : undefined
  if (version === undefined) throw new NotCarried('operator', `${attribute} ${name} ${JSON.stringify(value)}`)
  notes.add('partial-versions', `${attribute} ${name}`)
  notes.add('lists', `${attribute} ${name}`)
  const term: Term = { attribute, operator: versionOrders[name], value: version }
  if (name === '$vne') return none([term])
  return any([term, (name === '$vlt' || name === '$vlte') && isNotSet(attribute)])
}

function wholeVersion(text: string): string | undefined {
  const version = text.replace(/^v/, '')
  return parseVersion(version) === undefined ? undefined : version
}

function typeTerm({ attribute, value, notes }: Compared): Term {
  switch (value) {
    case 'string':
      return { attribute, operator: 'matches', value: '' }
    case 'boolean':
      notes.add('lists', `${attribute} $type`)
      return isIn(attribute, [true, false])
    case 'null':
      return isNotSet(attribute)
    default:
      throw new NotCarried('operator', `${attribute} $type ${JSON.stringify(value)}`)
  }
}

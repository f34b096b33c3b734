// Equality as GrowthBook converts types: text by the text of the value, numbers and truth by their conversion.

import { NotCarried, type Notes } from '../notes.ts'
import { any, equalsNumber, isIn, isNotSet, spellings, type Term } from '../terms.ts'

type Scalar = string | number | boolean

export const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** What JavaScript converts to false. */
const falsy = [false, 0, '']

/** A value without an operator: it is compared after conversion to its type. */
export function looselyEquals(attribute: string, value: unknown, notes: Notes): Term {
  if (value === null) return isNotSet(attribute)
  if (typeof value === 'boolean') {
    notes.add('lists', `${attribute} = ${value}`)
    return { attribute, operator: value ? 'not-in' : 'in', values: falsy }
  }
  if (typeof value === 'string') {
    notes.add('lists', `${attribute} = ${value}`)
    const missing = value === 'null' ? isNotSet(attribute) : false
    return any([isIn(attribute, spellings(value)), missing])
  }
  if (typeof value === 'number') {
    notes.add('odd-numbers', `${attribute} = ${value}`)
    notes.add('lists', `${attribute} = ${value}`)
    const converted =
      value === 0
        ? any([isNotSet(attribute), isIn(attribute, [false, ''])])
        : value === 1 && isIn(attribute, [true])
    return any([equalsNumber(attribute, value), converted])
  }
  throw new NotCarried('operator', `${attribute} = ${JSON.stringify(value)}`)
}

/** Exactly one of the values. Null is a missing attribute. */
export function strictlyIn(attribute: string, values: readonly unknown[]): Term {
  const others = values.filter((value) => value !== null && !isScalar(value))
  if (others.length > 0) throw new NotCarried('operator', `${attribute} in ${JSON.stringify(others[0])}`)
  return any([isIn(attribute, values.filter(isScalar)), values.includes(null) && isNotSet(attribute)])
}

// Builds condition groups from parts that may be constant: a clause that matches everyone or no one disappears.

import type { Condition, ConditionGroup } from '../contract/conditions.ts'
import { limits } from '../limits.ts'

/** A condition, a group, or a constant. */
export type Term = boolean | Condition | ConditionGroup

export function all(terms: readonly Term[]): Term {
  if (terms.includes(false)) return false
  return joined('all', terms)
}

export function any(terms: readonly Term[]): Term {
  if (terms.includes(true)) return true
  return joined('any', terms)
}

export function none(terms: readonly Term[]): Term {
  const found = any(terms)
  if (typeof found === 'boolean') return !found
  if (!('match' in found)) return { match: 'none', of: [found] }
  if (found.match === 'none') return any(found.of)
  return { match: 'none', of: found.match === 'any' ? found.of : [found] }
}

function joined(match: 'all' | 'any', terms: readonly Term[]): Term {
  const of = terms
    .filter((term) => typeof term !== 'boolean')
    .flatMap((term) => ('match' in term && term.match === match ? term.of : [term]))
  const [only] = of
  if (only === undefined) return match === 'all'
  return of.length === 1 ? only : { match, of }
}

/** A term as the conditions of a rule or a segment. An empty group matches everyone; `any` of nothing, no one. */
export function groupOf(term: Term): ConditionGroup {
  if (typeof term === 'boolean') return { match: term ? 'all' : 'any', of: [] }
  return 'match' in term ? term : { match: 'all', of: [term] }
}

type Scalar = string | number | boolean

/** Membership in a list of any length, in parts that a condition can hold. */
export function isIn(attribute: string, values: readonly Scalar[]): Term {
  const distinct = [...new Set(values)]
  const parts: Term[] = []
  for (let first = 0; first < distinct.length; first += limits.conditionListItems) {
    const part = distinct.slice(first, first + limits.conditionListItems)
    parts.push({ attribute, operator: 'in', values: part })
  }
  return any(parts)
}

export const isSet = (attribute: string): Condition => ({ attribute, operator: 'is-set' })
export const isNotSet = (attribute: string): Condition => ({ attribute, operator: 'is-not-set' })

/** A share of the users by a hash of the attribute. False without it, also for a share of everyone. */
export function share(attribute: string, weight: number, seed: string): Term {
  if (weight <= 0) return false
  const text = seed.slice(0, 64) || 'import'
  return { attribute, operator: 'percentage', weight: Math.min(weight, limits.weightTotal), seed: text }
}

/** Users whose position is in an interval of 0 to 1. */
export function shareBetween(attribute: string, [start, end]: readonly [number, number], seed: string): Term {
  const [from, to] = [toWeight(start), toWeight(end)]
  if (to <= from) return false
  return all([share(attribute, to, seed), none([share(attribute, from, seed)])])
}

/** A fraction as a weight of 100 000. */
export function toWeight(fraction: number): number {
  return Math.round(Math.min(Math.max(fraction, 0), 1) * limits.weightTotal)
}

/** Numbers and text that is the same number. */
export function equalsNumber(attribute: string, value: number): Term {
  return all([
    { attribute, operator: 'greater-or-equal', value },
    { attribute, operator: 'less-or-equal', value },
  ])
}

/** An instant given as text or in milliseconds. */
export function compareInstant(attribute: string, operator: 'greater' | 'less', at: number): Term {
  const value = new Date(at).toISOString()
  return any([
    { attribute, operator, value },
    { attribute, operator, value: at },
  ])
}

/** The text as a regular expression that matches only it. */
export function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** A text, and the number or truth value that has the same text. */
export function spellings(text: string): Scalar[] {
  if (text === 'true') return [text, true]
  if (text === 'false') return [text, false]
  const number = Number(text)
  return text !== '' && Number.isFinite(number) && String(number) === text ? [text, number] : [text]
}

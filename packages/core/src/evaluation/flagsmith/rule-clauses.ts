// The conjunctive normal form of a condition tree: clauses that must all match, each a list of alternative conditions.
// All versions of Flagsmith's engine read it alike: up to flagsmith-nodejs 8.1.0 all nested rules must match whatever
// their type, and only conditions follow the type.

import type { DocumentRule } from '../../contract/flagsmith.ts'

export type DocumentCondition = NonNullable<DocumentRule['conditions']>[number]

export interface Said {
  condition: DocumentCondition
  /** Alternatives that match exactly when the condition does not; undefined when that cannot be expressed. */
  negation: DocumentCondition[] | undefined
}

export type Formula = Said | { all: Formula[] } | { any: Formula[] } | { none: Formula[] }

export interface Literal {
  term: Said
  isNegated: boolean
}

/** At least one must match. */
export type Clause = readonly Literal[]

/** More than any segment of Flagsmith's dashboard has. */
const mostClauses = 200
const mostLiterals = 2_000

/** Undefined when there would be too many. No clauses: always true. An empty clause: never true. */
export function clausesOf(formula: Formula, isNegated = false): Clause[] | undefined {
  if ('condition' in formula) return [[{ term: formula, isNegated }]]
  const negatesParts = 'none' in formula ? !isNegated : isNegated
  const parts = 'all' in formula ? formula.all : 'any' in formula ? formula.any : formula.none
  const joinsByAnd = 'any' in formula ? isNegated : !isNegated
  const sides: Clause[][] = []
  for (const part of parts) {
    const clauses = clausesOf(part, negatesParts)
    if (clauses === undefined) return undefined
    sides.push(clauses)
  }
  return bounded(joinsByAnd ? sides.flat() : alternativesOf(sides))
}

/** All combinations of one clause from each side. */
function alternativesOf(sides: readonly Clause[][]): Clause[] | undefined {
  let clauses: Clause[] = [[]]
  for (const side of sides) {
    if (clauses.length * side.length > mostClauses) return undefined
    clauses = clauses.flatMap((clause) => side.map((other) => [...clause, ...other]))
  }
  return clauses
}

function bounded(clauses: Clause[] | undefined): Clause[] | undefined {
  if (clauses === undefined || clauses.length > mostClauses) return undefined
  const literals = clauses.reduce((sum, { length }) => sum + length, 0)
  return literals > mostLiterals ? undefined : clauses
}

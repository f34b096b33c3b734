// The conjunctive normal form of a condition tree: clauses that must all hold, each an alternative of single conditions.
// Every version of Flagsmith's engine reads it alike: up to flagsmith-nodejs 8.1.0 the rules below a rule must all match,
// whatever its type, and only conditions follow the type.

import type { DocumentRule } from '../../contract/flagsmith.ts'

export type DocumentCondition = NonNullable<DocumentRule['conditions']>[number]

export interface Said {
  condition: DocumentCondition
  /** Of which one holds exactly where the condition does not; undefined where that cannot be said. */
  negation: DocumentCondition[] | undefined
}

export type Formula = Said | { all: Formula[] } | { any: Formula[] } | { none: Formula[] }

export interface Literal {
  said: Said
  isNegated: boolean
}

/** One of them has to hold. */
export type Clause = readonly Literal[]

/** Larger than any segment of Flagsmith's dashboard. */
const mostClauses = 200
const mostLiterals = 2_000

/** Undefined where there would be too many. No clause: always true. An empty clause: never. */
export function clausesOf(formula: Formula, isNegated = false): Clause[] | undefined {
  if ('condition' in formula) return [[{ said: formula, isNegated }]]
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

/** Every choice of one clause from each side. */
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

// Clauses as one rule of Flagsmith's, in the form that its dashboard writes: one rule of type ALL, with rules of type ANY
// and NONE below it that hold conditions and nothing else.

import type { DocumentRule } from '../../contract/flagsmith.ts'
import type { Clause, DocumentCondition, Formula } from './rule-clauses.ts'

/** Undefined where a negation among alternatives cannot be said. */
export function documentRule(clauses: readonly Clause[]): DocumentRule | undefined {
  const needed: DocumentCondition[] = []
  const versions: DocumentCondition[] = []
  const refused: DocumentCondition[] = []
  const alternatives: DocumentCondition[][] = []
  for (const clause of clauses) {
    const [only, ...others] = clause
    if (only !== undefined && others.length === 0) {
      const { condition } = only.said
      if (only.isNegated) refused.push(condition)
      else if (isVersionOrder(condition)) versions.push(condition)
      else needed.push(condition)
      continue
    }
    const conditions: DocumentCondition[] = []
    for (const { said, isNegated } of clause) {
      const alternative = isNegated ? said.negation : [said.condition]
      if (alternative === undefined) return undefined
      conditions.push(...alternative)
    }
    alternatives.push(conditions)
  }
  return {
    type: 'ALL',
    conditions: distinct(needed),
    rules: [
      // Below the others: engines before 7 fail at what is no version, and look below only where those hold.
      ...(versions.length > 0 ? [ruleOf('ALL', distinct(versions))] : []),
      ...alternatives.map((conditions) => ruleOf('ANY', distinct(conditions))),
      ...(refused.length > 0 ? [ruleOf('NONE', distinct(refused))] : []),
    ],
  }
}

/**
 * Rules below rules, as they are here: what has no other form. From flagsmith-nodejs 8.1.2 on they are joined by their
 * type; before, all of them must match.
 */
export function nestedRule(formula: Formula): DocumentRule {
  if ('condition' in formula) return ruleOf('ALL', [formula.condition])
  if ('all' in formula) return { type: 'ALL', conditions: [], rules: formula.all.map(nestedRule) }
  if ('none' in formula) return { type: 'NONE', conditions: [], rules: formula.none.map(nestedRule) }
  // An empty list of alternatives counts as true there.
  if (formula.any.length === 0) return { type: 'NONE', conditions: [], rules: [ruleOf('ALL', [])] }
  return { type: 'ANY', conditions: [], rules: formula.any.map(nestedRule) }
}

function ruleOf(type: DocumentRule['type'], conditions: DocumentCondition[]): DocumentRule {
  return { type, rules: [], conditions }
}

function isVersionOrder({ value }: DocumentCondition): boolean {
  return value?.endsWith(':semver') === true
}

function distinct(conditions: readonly DocumentCondition[]): DocumentCondition[] {
  return [...new Map(conditions.map((condition) => [JSON.stringify(condition), condition])).values()]
}

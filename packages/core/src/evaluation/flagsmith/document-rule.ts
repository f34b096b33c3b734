// Writes clauses as one Flagsmith rule in the form that its dashboard writes: a rule of type ALL that contains rules of
// type ANY and NONE, which contain only conditions.

import type { DocumentRule } from '../../contract/flagsmith.ts'
import type { Clause, DocumentCondition, Formula } from './rule-clauses.ts'

/** Undefined when a negation within an alternative cannot be expressed. */
export function documentRule(clauses: readonly Clause[]): DocumentRule | undefined {
  const needed: DocumentCondition[] = []
  const versions: DocumentCondition[] = []
  const refused: DocumentCondition[] = []
  const alternatives: DocumentCondition[][] = []
  for (const clause of clauses) {
    const [only, ...others] = clause
    if (only !== undefined && others.length === 0) {
      const { condition } = only.term
      if (only.isNegated) refused.push(condition)
      else if (isVersionOrder(condition)) versions.push(condition)
      else needed.push(condition)
      continue
    }
    const conditions: DocumentCondition[] = []
    for (const { term: said, isNegated } of clause) {
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
      // Nested, because engines before 7 fail on invalid versions and evaluate nested rules only when the outer match.
      ...(versions.length > 0 ? [ruleOf('ALL', distinct(versions))] : []),
      ...alternatives.map((conditions) => ruleOf('ANY', distinct(conditions))),
      ...(refused.length > 0 ? [ruleOf('NONE', distinct(refused))] : []),
    ],
  }
}

/**
 * Nested rules, for conditions that have no other form. From flagsmith-nodejs 8.1.2 on they are joined by their type;
 * before, all of them must match.
 */
export function nestedRule(formula: Formula): DocumentRule {
  if ('condition' in formula) return ruleOf('ALL', [formula.condition])
  if ('all' in formula) return { type: 'ALL', conditions: [], rules: formula.all.map(nestedRule) }
  if ('none' in formula) return { type: 'NONE', conditions: [], rules: formula.none.map(nestedRule) }
  // In Flagsmith an empty list of alternatives is true.
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

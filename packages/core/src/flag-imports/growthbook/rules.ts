// Rules of GrowthBook: forced values, percentages and experiments. A rule that does not include a user is skipped.

import type { GrowthBookRule } from '../../contract/growthbook.ts'
import { type RuleParts, serveSplit } from '../build-rules.ts'
import type { NamedVariations } from '../name-variations.ts'
import { NotCarried, type Notes } from '../notes.ts'
import { all, any, share, shareBetween, type Term, toWeight } from '../terms.ts'
import { attributeOf, conditionTerm } from './conditions.ts'
import type { SavedGroups } from './saved-groups.ts'

export interface RuleScope {
  /** The key of the feature, which seeds its percentages. */
  feature: string
  named: NamedVariations
  notes: Notes
  groups: SavedGroups
}

export function ruleParts(rule: GrowthBookRule, scope: RuleScope): RuleParts[] {
  const { notes, groups } = scope
  if ((rule.parentConditions ?? []).some(({ gate }) => gate !== true)) {
    throw new NotCarried('dependency', 'a prerequisite of one rule')
  }
  if (rule.contextualVariations) throw new NotCarried('strategy', 'contextual bandit')
  const filters = all((rule.filters ?? []).map((filter) => filterTerm(filter, notes)))
  const condition = rule.condition ? conditionTerm(rule.condition, { notes, inGroup: groups.inGroup }) : true
  const when = all([condition, filters])
  if ('force' in rule) return forceParts(rule, when, scope)
  return rule.variations ? experimentParts(rule, when, scope) : []
}

type Filter = NonNullable<GrowthBookRule['filters']>[number]

function filterTerm({ seed, attribute, ranges }: Filter, notes: Notes): Term {
  notes.add('percentage', `namespace ${seed}`)
  return any(ranges.map(([start = 0, end = 0]) => shareBetween(unitOf(attribute), [start, end], seed)))
}

const unitOf = (attribute: string | null | undefined) => attributeOf(attribute || 'id')

function forceParts(rule: GrowthBookRule, when: Term, { feature, named, notes }: RuleScope): RuleParts[] {
  const serve = { variation: named.keyOf(rule.force ?? null) }
  const { range, coverage } = rule
  if (!range && (coverage === undefined || coverage === null)) return [{ when, serve }]
  const seed = rule.seed || feature
  const unit = unitOf(rule.hashAttribute)
  const included = range
    ? shareBetween(unit, [range[0] ?? 0, range[1] ?? 0], seed)
    : share(unit, toWeight(coverage ?? 0), seed)
  if (included !== false && coverage !== 1) notes.add('percentage', `${feature} by ${unit}`)
  notes.add('types', `${unit} 0 has no share there`)
  return [{ when: all([when, included]), serve }]
}

function experimentParts(rule: GrowthBookRule, when: Term, scope: RuleScope): RuleParts[] {
  const { feature, named, notes } = scope
  const variations = rule.variations ?? []
  if (variations.length < 2) return []
  const unit = unitOf(rule.hashAttribute)
  const seed = rule.seed || rule.key || feature
  const widths = widthsOf(rule, variations.length)
  const arms = variations
    .map((value, index) => ({ variation: named.keyOf(value), weight: widths[index] ?? 0 }))
    .filter((_arm, index) => rule.meta?.[index]?.passthrough !== true)
  const serve = serveSplit(arms, unit)
  const covered = Math.min(
    1,
    arms.reduce((sum, { weight }) => sum + weight, 0),
  )
  if (serve === undefined) return []
  notes.add('percentage', `${feature}: experiment ${rule.key || feature} by ${unit}`)
  notes.add('types', `${unit} 0 has no share there`)
  // Of its own, because the split hashes with the seed of the flag.
  const included = share(unit, toWeight(covered), seed)
  const inNamespace = rule.filters ? true : namespaceTerm(rule, unit)
  return [{ when: all([when, inNamespace, included]), serve, description: rule.name }]
}

/** Older experiments exclude each other by a range of a namespace. */
function namespaceTerm({ namespace }: GrowthBookRule, unit: string): Term {
  const [id, start, end] = namespace ?? []
  if (typeof id !== 'string' || typeof start !== 'number' || typeof end !== 'number') return true
  return shareBetween(unit, [start, end], `__${id}`)
}

/** The share of all users that each variation has. */
function widthsOf({ ranges, weights, coverage }: GrowthBookRule, count: number): number[] {
  if (ranges) return ranges.map(([start = 0, end = 0]) => Math.max(0, end - start))
  const total = (weights ?? []).reduce((sum, weight) => sum + weight, 0)
  const isUsable = weights?.length === count && total >= 0.99 && total <= 1.01
  const shares = isUsable && weights ? weights : Array.from({ length: count }, () => 1 / count)
  return shares.map((weight) => Math.max(0, weight) * (coverage ?? 1))
}

// Merges two changes of a configuration that started from the same version. If both changed the same part
// differently, it reports a conflict and does not guess.

import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { isSame } from './same.ts'

type RuleDraft = FlagConfigDraft['rules'][number]

type MergedConfig =
  | { merged: FlagConfigDraft }
  /** JSON pointers to the parts that both changed. */
  | { overlaps: string[] }

/** `mine` is based on `base`; `theirs` was saved in the meantime. All rules have ids. */
export function mergeConfigs(
  base: FlagConfigDraft,
  { mine, theirs }: { mine: FlagConfigDraft; theirs: FlagConfigDraft },
): MergedConfig {
  const overlaps: string[] = []
  const merge = <Part>(pointer: string, part: (config: FlagConfigDraft) => Part): Part => {
    const merged = mergePart(part(base), { mine: part(mine), theirs: part(theirs) })
    if ('overlaps' in merged) overlaps.push(pointer)
    return 'overlaps' in merged ? part(mine) : merged.part
  }

  const rules = mergeRules(base.rules, { mine: mine.rules, theirs: theirs.rules })
  if ('overlaps' in rules) overlaps.push(...rules.overlaps)
  const merged = {
    enabled: merge('/enabled', ({ enabled }) => enabled),
    offVariation: merge('/offVariation', ({ offVariation }) => offVariation),
    prerequisites: merge('/prerequisites', ({ prerequisites }) => prerequisites),
    rules: 'merged' in rules ? rules.merged : mine.rules,
    fallthrough: merge('/fallthrough', ({ fallthrough }) => fallthrough),
  }
  return overlaps.length > 0 ? { overlaps } : { merged }
}

interface Sides<Part> {
  mine: Part
  theirs: Part
}

function mergePart<Part>(base: Part, { mine, theirs }: Sides<Part>): { part: Part } | { overlaps: true } {
  if (isSame(mine, base)) return { part: theirs }
  if (isSame(theirs, base) || isSame(mine, theirs)) return { part: mine }
  return { overlaps: true }
}

/** Rules are matched by id: one side may move, add and remove rules while the other edits their content. */
function mergeRules(
  base: RuleDraft[],
  { mine, theirs }: Sides<RuleDraft[]>,
): { merged: RuleDraft[] } | { overlaps: string[] } {
  const order = mergePart(idsOf(base), { mine: idsOf(mine), theirs: idsOf(theirs) })
  if ('overlaps' in order) return { overlaps: ['/rules'] }

  const [before, ours, others] = [byId(base), byId(mine), byId(theirs)]
  const overlaps: string[] = []
  const merged = order.part.flatMap((id, index) => {
    const rule = mergePart(before.get(id), { mine: ours.get(id), theirs: others.get(id) })
    if ('overlaps' in rule) overlaps.push(`/rules/${index}`)
    return 'overlaps' in rule || rule.part === undefined ? [] : [rule.part]
  })
  for (const [id, rule] of before) {
    if (order.part.includes(id)) continue
    const [our, other] = [ours.get(id), others.get(id)]
    const isChanged = (side: RuleDraft | undefined) => side !== undefined && !isSame(side, rule)
    // One side removed it, the other changed it.
    if (isChanged(our) || isChanged(other)) overlaps.push('/rules')
  }
  return overlaps.length > 0 ? { overlaps: [...new Set(overlaps)] } : { merged }
}

function idsOf(rules: readonly RuleDraft[]): string[] {
  return rules.map(({ id }) => id ?? '')
}

function byId(rules: readonly RuleDraft[]): Map<string, RuleDraft> {
  return new Map(rules.map((rule) => [rule.id ?? '', rule]))
}

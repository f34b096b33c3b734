// Puts rules together: those that match no one are dropped, and one that matches everyone becomes the fallthrough.

import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { limits } from '../limits.ts'
import { groupOf, type Term } from './terms.ts'

type Serve = FlagConfigDraft['fallthrough']

export interface RuleParts {
  when: Term
  serve: Serve
  description?: string | null | undefined
}

export function buildRules(
  parts: readonly RuleParts[],
  fallthrough: Serve,
): Pick<FlagConfigDraft, 'rules' | 'fallthrough'> {
  const rules: FlagConfigDraft['rules'] = []
  for (const { when, serve, description } of parts) {
    if (when === false) continue
    if (when === true) return { rules, fallthrough: serve }
    const text = (description ?? '').trim().slice(0, limits.nameLength)
    rules.push({ ...(text !== '' && { description: text }), when: groupOf(when), serve })
  }
  return { rules, fallthrough }
}

export interface Arm {
  variation: string
  /** Relative to the other arms. */
  weight: number
}

/** A split with whole weights (largest remainder), or one variation if it has all of it. */
export function serveSplit(arms: readonly Arm[], by: string): Serve | undefined {
  const merged = new Map<string, number>()
  for (const { variation, weight } of arms) merged.set(variation, (merged.get(variation) ?? 0) + weight)
  const total = [...merged.values()].reduce((sum, weight) => sum + weight, 0)
  if (total <= 0) return undefined
  const served = [...merged].filter(([, weight]) => weight > 0)
  const [only] = served
  if (only !== undefined && served.length === 1) return { variation: only[0] }

  const exact = [...merged].map(([variation, weight]) => ({
    variation,
    exact: (weight / total) * limits.weightTotal,
  }))
  const split = exact.map((arm) => ({ variation: arm.variation, weight: Math.floor(arm.exact) }))
  const left = limits.weightTotal - split.reduce((sum, { weight }) => sum + weight, 0)
  const byRemainder = exact
    .map((arm, index) => ({ index, remainder: arm.exact - Math.floor(arm.exact) }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index)
  for (const { index } of byRemainder.slice(0, left)) {
    const arm = split[index]
    if (arm !== undefined) arm.weight += 1
  }
  return by === 'targetingKey' ? { split } : { split, by }
}

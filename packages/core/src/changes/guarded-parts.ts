// Which parts of a configuration determine the comparison of a rollout at one location. They are locked while it
// runs: they decide which users reach its split and what they get there.

import type { FlagConfigDraft } from '../contract/flag-config.ts'
import { isSame } from './same.ts'

export type GuardedPart = 'split' | 'conditions' | 'rules-above' | 'prerequisites' | 'segments' | 'values'

/** The guarded parts that the change touches. Descriptions and everything after the location may change freely. */
export function findTouched(before: FlagConfigDraft, after: FlagConfigDraft, place: string): GuardedPart[] {
  const [was, is] = [partsAt(before, place), partsAt(after, place)]
  const touched = (part: keyof typeof was) => !isSame(was[part], is[part])
  return [
    ...(touched('serve') ? (['split'] as const) : []),
    ...(touched('when') ? (['conditions'] as const) : []),
    ...(touched('above') ? (['rules-above'] as const) : []),
    ...(touched('prerequisites') ? (['prerequisites'] as const) : []),
  ]
}

/** The segments that decide which users reach the split. */
export function segmentsAbove(config: FlagConfigDraft, place: string): Set<string> {
  const { above, when } = partsAt(config, place)
  const found = new Set<string>()
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) collect(item)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (name === 'segment' && typeof inner === 'string') found.add(inner)
        else collect(inner)
      }
    }
  }
  collect([above.map((rule) => rule.when), when])
  return found
}

function partsAt({ rules, fallthrough, prerequisites }: FlagConfigDraft, place: string) {
  const index = rules.findIndex(({ id }) => id === place)
  const rule = index < 0 ? undefined : rules[index]
  const above = index < 0 ? rules : rules.slice(0, index)
  return {
    serve: place === 'fallthrough' ? fallthrough : rule?.serve,
    when: rule?.when,
    above: above.map(({ id, when, serve }) => ({ id, when, serve })),
    prerequisites,
  }
}

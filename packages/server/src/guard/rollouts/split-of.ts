// The split that a rollout stands on, or that its start makes where one variation was served to all.

import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { limits } from '@telltale/core/limits'

type ServeDraft = FlagConfigDraft['fallthrough']

/** What is saved at a place; nothing where there is no such place. */
export function serveAt({ rules, fallthrough }: FlagConfigDraft, place: string): ServeDraft | undefined {
  return place === 'fallthrough' ? fallthrough : rules.find(({ id }) => id === place)?.serve
}

/** The configuration with a split of control and treatment at the place. */
export function withSplit(
  draft: FlagConfigDraft,
  { place, control, treatment, by }: { place: string; control: string; treatment: string; by: string },
): FlagConfigDraft {
  const asSplit = (serve: ServeDraft): ServeDraft => {
    if ('split' in serve) {
      const isThere = serve.split.some(({ variation }) => variation === treatment)
      return isThere ? serve : { ...serve, split: [...serve.split, { variation: treatment, weight: 0 }] }
    }
    return {
      split: [
        { variation: control, weight: limits.weightTotal },
        { variation: treatment, weight: 0 },
      ],
      by,
    }
  }
  if (place === 'fallthrough') return { ...draft, fallthrough: asSplit(draft.fallthrough) }
  const rules = draft.rules.map((rule) =>
    rule.id === place ? { ...rule, serve: asSplit(rule.serve) } : rule,
  )
  return { ...draft, rules }
}

// The split of a rollout, or the one that its start creates if a single variation was served.

import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { limits } from '@telltale/core/limits'

type ServeDraft = FlagConfigDraft['fallthrough']

/** The saved serve of a place; undefined if the place does not exist. */
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

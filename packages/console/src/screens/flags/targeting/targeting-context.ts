import { createContext, use } from 'react'
import type { ConfigPlace } from '../../../api/flag-configs.ts'
import type { RolloutRow } from '../../../api/rollouts.ts'
import type { SegmentChoice } from '../../../ui/conditions/condition-row.tsx'
import type { Suggestion } from '../../../ui/form/suggestion-list.tsx'

/** What every part of the tab knows of the flag and its project. */
export interface Targeting {
  readonly place: ConfigPlace
  /** The name of the environment. */
  readonly envName: string
  readonly variations: readonly { readonly key: string; readonly name: string }[]
  readonly attributes: readonly Suggestion[]
  readonly segments: readonly SegmentChoice[] | undefined
  /** Why nothing can be changed; nothing when it can. */
  readonly readOnly: string | undefined
  /** Overrides are saved at once: nobody approves them, and a request is not enough. */
  readonly mayOverride: boolean
  /** What is under a guard now, by place: the id of a rule, or `fallthrough`. */
  readonly guarded: ReadonlyMap<string, RolloutRow>
}

export const TargetingContext = createContext<Targeting | undefined>(undefined)

/** For a review outside of the tab: it names variations, and nothing can be edited in it. */
export function targetingOfReview(known: Pick<Targeting, 'place' | 'envName' | 'variations'>): Targeting {
  return {
    ...known,
    attributes: [],
    segments: undefined,
    readOnly: undefined,
    mayOverride: false,
    guarded: new Map(),
  }
}

export function useTargeting(): Targeting {
  const targeting = use(TargetingContext)
  if (!targeting) throw new Error('used outside the targeting tab')
  return targeting
}

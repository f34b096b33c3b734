import { createContext, use } from 'react'
import type { ConfigRef } from '../../../api/flag-configs.ts'
import type { RolloutRow } from '../../../api/rollouts.ts'
import type { SegmentChoice } from '../../../ui/conditions/condition-row.tsx'
import type { Suggestion } from '../../../ui/form/suggestion-list.tsx'

/** Shared by every part of the tab: the flag, its project and the permissions. */
export interface Targeting {
  readonly place: ConfigRef
  /** The name of the environment. */
  readonly envName: string
  readonly variations: readonly { readonly key: string; readonly name: string }[]
  readonly attributes: readonly Suggestion[]
  readonly segments: readonly SegmentChoice[] | undefined
  /** Why it is read-only; undefined if it is editable. */
  readonly readOnly: string | undefined
  /** Overrides are saved immediately: no approval is involved, and permission to request changes is not enough. */
  readonly mayOverride: boolean
  /** Parts of a running rollout, by place: the id of a rule, or `fallthrough`. */
  readonly guarded: ReadonlyMap<string, RolloutRow>
}

export const TargetingContext = createContext<Targeting | undefined>(undefined)

/** For a review outside the tab: names variations, without editing. */
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

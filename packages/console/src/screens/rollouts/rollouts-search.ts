import { textOf } from '../../ui/text/text-of.ts'

export const rolloutViews = ['running', 'ended', 'drafts'] as const
export type RolloutView = (typeof rolloutViews)[number]

/** The list's state in the URL. */
export interface RolloutsSearch {
  /** Default: all. */
  view?: RolloutView | undefined
  flag?: string | undefined
  /** A new rollout is being planned: its first step is choosing a flag. */
  new?: boolean | undefined
}

export function parseRolloutsSearch(search: Record<string, unknown>): RolloutsSearch {
  return {
    view: rolloutViews.find((one) => one === search.view),
    flag: textOf(search.flag),
    new: search.new === true ? true : undefined,
  }
}

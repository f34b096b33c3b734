import { textOf } from '../../ui/text/text-of.ts'

export const rolloutViews = ['running', 'ended', 'drafts'] as const
export type RolloutView = (typeof rolloutViews)[number]

/** What of the list stands in the address. */
export interface RolloutsSearch {
  /** Default: all. */
  view?: RolloutView | undefined
  flag?: string | undefined
  /** A new one is being made: of which flag is asked first. */
  new?: boolean | undefined
}

export function parseRolloutsSearch(search: Record<string, unknown>): RolloutsSearch {
  return {
    view: rolloutViews.find((one) => one === search.view),
    flag: textOf(search.flag),
    new: search.new === true ? true : undefined,
  }
}

import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

export const rolloutViews = ['running', 'ended', 'drafts'] as const
export type RolloutView = (typeof rolloutViews)[number]

/** The list's state in the URL. */
export const parseRolloutsSearch = searchParser({
  /** Default: all. */
  view: oneOf(...rolloutViews),
  flag: textOf,
  /** A new rollout is being planned: its first step is choosing a flag. */
  new: trueOf,
})
export type RolloutsSearch = ReturnType<typeof parseRolloutsSearch>

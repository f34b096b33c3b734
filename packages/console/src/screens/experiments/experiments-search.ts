import { experimentStates } from '@telltale/core/states/experiment'
import { oneOf, searchParser, trueOf } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** The list's state in the URL. */
export const parseExperimentsSearch = searchParser({
  /** Default: all. */
  state: oneOf(...experimentStates),
  flag: textOf,
  /** A new experiment is being drafted: its first step is choosing a flag. */
  new: trueOf,
})
export type ExperimentsSearch = ReturnType<typeof parseExperimentsSearch>

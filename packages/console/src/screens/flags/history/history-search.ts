import { ordinalOf, searchParser } from '../../../ui/search-parameters.ts'

/** The history's state in the URL. */
export const parseHistorySearch = searchParser({
  /** The selected version. Default: the newest. */
  v: ordinalOf,
  /** The version to compare with. Default: the previous one. */
  with: ordinalOf,
})
export type HistorySearch = ReturnType<typeof parseHistorySearch>

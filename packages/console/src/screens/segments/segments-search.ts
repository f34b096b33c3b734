import { searchParser, trueOf } from '../../ui/search-parameters.ts'
import { parseSort, type Sort } from '../../ui/table/column.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** The list's state in the URL. */
export const parseSegmentsSearch = searchParser({
  q: textOf,
  sort: textOf,
  /** The segment whose detail is open beside the list. */
  peek: textOf,
  /** The dialog for a new segment. */
  new: trueOf,
})
export type SegmentsSearch = ReturnType<typeof parseSegmentsSearch>

export function sortOf({ sort }: SegmentsSearch): Sort {
  return parseSort(sort) ?? { id: 'key', desc: false }
}

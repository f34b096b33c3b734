import { parseSort, type Sort } from '../../ui/table/column.ts'

/** The list's state in the URL. */
export interface SegmentsSearch {
  q?: string | undefined
  sort?: string | undefined
  /** The segment whose detail is open beside the list. */
  peek?: string | undefined
  /** The dialog for a new segment. */
  new?: true | undefined
}

export function sortOf({ sort }: SegmentsSearch): Sort {
  return parseSort(sort) ?? { id: 'key', desc: false }
}

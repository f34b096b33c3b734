import { type Chip, type Filter, printFilter } from '@telltale/core/query/filter'

export function pageChip(page: string): Chip {
  return { field: 'page', key: '', isNegated: false, operator: 'is', values: [page] }
}

/** The filter for one page, as text, for links to other screens. */
export function filterOfPage({ chips, words }: Filter, page: string): string {
  const others = chips.filter(({ field, isNegated }) => field !== 'page' || isNegated)
  return printFilter({ chips: [...others, pageChip(page)], words })
}

import type { Filter } from '@telltale/core/query/filter'

/** The flag that has a column: the one that was chosen, or the one that is filtered by. */
export function chosenFlag(chosen: string | undefined, filter: Filter): string | undefined {
  return chosen ?? filter.chips.find(({ field, isNegated }) => field === 'flag' && !isNegated)?.key
}

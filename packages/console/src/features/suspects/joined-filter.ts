import { type Chip, emptyFilter, type Filter, printFilter } from '@telltale/core/query/filter'

/** As text. A chip replaces one of the same field. */
export function joinedFilter({ chips, words }: Filter = emptyFilter, added: readonly Chip[]): string {
  const others = chips.filter(
    ({ field, key, isNegated }) =>
      isNegated || !added.some((one) => one.field === field && one.key === key && !one.isNegated),
  )
  return printFilter({ chips: [...others, ...added], words })
}

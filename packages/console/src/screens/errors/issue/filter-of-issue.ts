import { type Chip, type Filter, printFilter } from '@telltale/core/query/filter'
import type { ShownIssue } from '../../../api/issues.ts'

/** The filter for the errors of one issue, as text. */
export function filterOfIssue(filter: Filter, { group }: Pick<ShownIssue, 'group'>): string {
  const chip: Chip = { field: 'issue', key: '', isNegated: false, operator: 'is', values: [group] }
  return printFilter({ ...filter, chips: [chip, ...filter.chips.filter(({ field }) => field !== 'issue')] })
}

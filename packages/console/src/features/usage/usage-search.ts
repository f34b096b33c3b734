import { meters } from '@telltale/core/usage/meters'
import { oneOf, searchParser } from '../../ui/search-parameters.ts'

export const periods = [7, 30, 90] as const
export const groupings = ['environment', 'key', 'application'] as const

export const parseUsageSearch = searchParser({
  days: oneOf(...periods),
  meter: oneOf(...meters),
  by: oneOf(...groupings),
})
export type UsageSearch = ReturnType<typeof parseUsageSearch>

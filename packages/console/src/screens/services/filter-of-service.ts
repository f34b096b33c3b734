import { type Chip, type Filter, printFilter } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'

const is = (field: FieldName, value: string): Chip => ({
  ...{ field, key: '', isNegated: false, operator: 'is', values: [value] },
})

/** On other screens: the service, and what its own page is filtered by. */
export const filterOfService = (service: string, { chips, words }: Filter) =>
  printFilter({ chips: [is('service', service), ...chips], words })

export const filterOfOperation = (service: string, name: string) =>
  printFilter({ chips: [is('service', service), is('name', name)], words: [] })

export const filterOfFailed = (service: string) =>
  printFilter({ chips: [is('service', service), is('failed', 'true')], words: [] })

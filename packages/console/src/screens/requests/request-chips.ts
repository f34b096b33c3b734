import { type Chip, type Filter, printFilter } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import type { RequestGroup } from '../../api/requests.ts'

export function requestChip(field: FieldName, operator: Chip['operator'], value: string): Chip {
  return { field, key: '', isNegated: false, operator, values: [value] }
}

export function chipsOfRequest({ endpoint, host, method }: RequestGroup): Chip[] {
  return [
    requestChip('endpoint', 'is', endpoint),
    ...(host === '' ? [] : [requestChip('host', 'is', host)]),
    ...(method === '' ? [] : [requestChip('method', 'is', method)]),
  ]
}

/** The filter for one kind of request, as text. */
export function filterOfRequest(filter: Filter, group: RequestGroup): string {
  return printFilter({ ...filter, chips: [...filter.chips, ...chipsOfRequest(group)] })
}

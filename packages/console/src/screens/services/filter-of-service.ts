import { printFilter } from '@telltale/core/query/filter'

export const filterOfService = (service: string, isFailed = false) =>
  printFilter({
    chips: [
      { field: 'service', key: '', isNegated: false, operator: 'is', values: [service] },
      ...(isFailed
        ? [{ field: 'failed', key: '', isNegated: false, operator: 'is', values: ['true'] } as const]
        : []),
    ],
    words: [],
  })

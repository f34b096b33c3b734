import type { FieldName } from '@telltale/core/query/filter-fields'

/** The fields of spans and of log records, for the field picker. The server refuses others. */
export const spanFields: readonly FieldName[] = [
  ...([
    'service',
    'name',
    'duration',
    'failed',
    'span-kind',
    'endpoint',
    'method',
    'status',
    'host',
  ] as const),
  ...(['error', 'flag', 'attr', 'user', 'session', 'version', 'trace'] as const),
]

export const logFields: readonly FieldName[] = [
  ...(['level', 'service', 'name', 'attr', 'user', 'session', 'version', 'trace'] as const),
]

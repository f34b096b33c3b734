import type { Chip, FieldRef } from '@telltale/core/query/filter'
import { fieldDefinition } from '@telltale/core/query/filter-fields'

/**
 * The chip that keeps what a breakdown shows under one value. Empty is: has none; undefined where that cannot be asked for.
 */
export function chipOfValue({ field, key }: FieldRef, value: string): Chip | undefined {
  if (value !== '') return { field, key, isNegated: false, operator: 'is', values: [value] }
  const { type } = fieldDefinition(field)
  if (key !== '' || type === 'number' || type === 'issue')
    return { field, key, isNegated: true, operator: 'exists', values: [] }
  return type === 'text' ? { field, key, isNegated: false, operator: 'is', values: [''] } : undefined
}

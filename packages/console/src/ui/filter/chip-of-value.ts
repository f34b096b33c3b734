import type { Chip, FieldRef } from '@telltale/core/query/filter'
import { fieldDefinition } from '@telltale/core/query/filter-fields'

/**
 * The chip for a value of a breakdown. Empty means that the field is missing; undefined where no filter can
 * express that.
 */
export function chipOfValue({ field, key }: FieldRef, value: string): Chip | undefined {
  if (value !== '') return { field, key, isNegated: false, operator: 'is', values: [value] }
  const { type } = fieldDefinition(field)
  if (key !== '' || type === 'number' || type === 'issue')
    return { field, key, isNegated: true, operator: 'exists', values: [] }
  return type === 'text' ? { field, key, isNegated: false, operator: 'is', values: [''] } : undefined
}

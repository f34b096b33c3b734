// Whether the operator and the values of a chip fit the type of its field.

import { limits } from '../limits.ts'
import type { Chip, Operator } from './filter.ts'
import { type FieldType, fieldDefinition } from './filter-fields.ts'

const fitting: Readonly<Record<FieldType, readonly Operator[]>> = {
  text: ['is', 'contains', 'exists'],
  number: ['is', 'exists', '>=', '>', '<=', '<'],
  boolean: ['is'],
  id: ['is'],
  issue: ['is', 'exists'],
}
const comparisons: readonly Operator[] = ['>=', '>', '<=', '<']
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const decimal = /^-?\d{1,15}(\.\d{1,15})?$/
const largestIssue = 2n ** 64n - 1n

/** The problem with the chip; undefined if it is valid. */
export function checkChip({ field, operator, values }: Chip): string | undefined {
  const { type, choices } = fieldDefinition(field)
  if (!fitting[type].includes(operator)) return `${field} does not support "${operator}"`
  if (values.length > limits.filterValues) return `a chip has at most ${limits.filterValues} values`
  if (comparisons.includes(operator) && values.length !== 1) return 'a comparison takes one number'

  const wrong = values.find((value) => !isValue(type, value))
  if (wrong !== undefined) return `"${wrong}" is not a valid value of ${field}`
  const unknown = operator === 'is' && choices && values.find((value) => !choices.includes(value))
  return unknown === undefined || unknown === false
    ? undefined
    : `${field} is one of ${choices?.join(', ')}, not "${unknown}"`
}

function isValue(type: FieldType, value: string): boolean {
  switch (type) {
    case 'text':
      return value.length <= limits.filterLength
    case 'number':
      return decimal.test(value)
    case 'boolean':
      return value === 'true' || value === 'false'
    case 'id':
      return uuid.test(value)
    case 'issue':
      return /^\d{1,20}$/.test(value) && BigInt(value) <= largestIssue
  }
}

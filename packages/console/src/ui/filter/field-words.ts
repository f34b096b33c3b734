import { type FieldRef, parseFields, printField } from '@telltale/core/query/filter'
import { fieldDefinition } from '@telltale/core/query/filter-fields'

/** `Browser`, `Flag checkout`, `Attribute plan`. */
export function fieldLabel({ field, key }: FieldRef): string {
  const { label } = fieldDefinition(field)
  return key === '' ? label : `${label} ${key}`
}

/** One field as in the URL; undefined for anything else. */
export function readField(text: string | undefined): FieldRef | undefined {
  const [field, ...rest] = readFields(text)
  return rest.length === 0 ? field : undefined
}

/** `flag` and `attr` require a key. */
export function readFields(text: string | undefined): readonly FieldRef[] {
  const parsed = text === undefined ? undefined : parseFields(text)
  if (!parsed?.ok) return []
  return parsed.result.filter(({ field, key }) => key !== '' || fieldDefinition(field).isKeyed !== true)
}

export const fieldsText = (fields: readonly FieldRef[]) => fields.map(printField).join(',')

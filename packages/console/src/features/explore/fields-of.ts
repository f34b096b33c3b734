import type { FieldRef } from '@telltale/core/query/filter'
import { readFields } from '../../ui/filter/field-words.ts'

const fieldsAtOnce = 2

/** The group-by fields; invalid ones are dropped. */
export function fieldsOf({ by }: { by?: string | undefined }): readonly FieldRef[] {
  return readFields(by).slice(0, fieldsAtOnce)
}

import type { FieldRef } from '@telltale/core/query/filter'
import { readFields } from '../../ui/filter/field-words.ts'

const fieldsAtOnce = 2

/** What a question is broken down by; what cannot be read falls away. */
export function fieldsOf({ by }: { by?: string | undefined }): readonly FieldRef[] {
  return readFields(by).slice(0, fieldsAtOnce)
}

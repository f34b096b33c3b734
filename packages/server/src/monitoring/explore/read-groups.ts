import { problem } from '@telltale/core/errors'
import { type FieldRef, parseFields, printField } from '@telltale/core/query/filter'
import { readParsed } from './open-question.ts'
import { isGroup } from './render-filter.ts'

/** The fields to group events by. Throws `invalid-request` for too many fields and for fields that cannot be used. */
export function readGroups(
  text: string,
  { pointer, most, canGroup = isGroup }: { pointer: string; most: number; canGroup?: typeof isGroup },
): FieldRef[] {
  const fields = readParsed(parseFields(text), pointer)
  const refuse = (message: string) => problem('invalid-request', { errors: [{ pointer, message }] })
  if (fields.length > most) throw refuse(`names at most ${most} fields`)
  const wrong = fields.find((field) => !canGroup(field))
  if (wrong !== undefined) throw refuse(`${printField(wrong)} cannot be used for grouping`)
  return fields
}

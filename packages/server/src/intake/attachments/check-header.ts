import { problem } from '@telltale/core/errors'
import type { Static, TSchema } from 'typebox'
import { compileCheck } from '../../platform/http/validate.ts'

/**
 * Returns the metadata of the first line, or throws `invalid-request` with each error. Unknown members are ignored.
 */
export function checkHeader<Schema extends TSchema>(schema: Schema): (header: unknown) => Static<Schema> {
  const check = compileCheck(schema)
  return (header) => {
    const checked = check(header)
    if ('faults' in checked) throw problem('invalid-request', { errors: checked.faults.slice(0, 10) })
    return checked.value
  }
}

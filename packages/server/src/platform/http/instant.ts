import { problem } from '@telltale/core/errors'

/** The instant of a text that fits the schema; throws `invalid-request` for one that is no day of ours. */
export function readInstant(text: string, pointer: string): Date {
  const at = new Date(text)
  // The schema lets pass leap seconds, and years that PostgreSQL and ISO 8601 write in another way.
  const year = at.getUTCFullYear()
  if (year >= 1 && year <= 9_999) return at

  throw problem('invalid-request', {
    errors: [{ pointer, message: 'must be an instant in the years 1 to 9999' }],
  })
}

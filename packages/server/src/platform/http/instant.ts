import { problem } from '@telltale/core/errors'

/** Parses a timestamp that matches the schema; throws `invalid-request` for one outside the supported range. */
export function readInstant(text: string, pointer: string): Date {
  const at = new Date(text)
  // The schema accepts leap seconds, and years that PostgreSQL and ISO 8601 write differently.
  const year = at.getUTCFullYear()
  if (year >= 1 && year <= 9_999) return at

  throw problem('invalid-request', {
    errors: [{ pointer, message: 'must be an instant in the years 1 to 9999' }],
  })
}

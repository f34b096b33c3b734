import { problem } from '@telltale/core/errors'
import { findEnvironments } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

/** Throws `invalid-request` for an environment of another project, which would never send anything. */
export async function checkEnvironments(
  db: Queryable,
  projectId: string,
  { places, except }: { places: readonly string[]; except: readonly string[] },
): Promise<void> {
  if (places.every((key) => except.includes(key))) return
  const known = new Set([...except, ...(await findEnvironments(db, projectId)).map(({ key }) => key)])
  const errors = places.flatMap((key, index) =>
    known.has(key)
      ? []
      : [{ pointer: `/environments/${index}`, message: 'is not an environment of the project' }],
  )
  if (errors.length > 0) throw problem('invalid-request', { errors })
}

import { problem } from '@telltale/core/errors'
import { findPeople } from '../../organisation/members/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

/** Throws `invalid-request` for unknown reviewers, and for the author as a reviewer. */
export async function checkReviewers(
  db: Queryable,
  { projectId, authorId, reviewers }: { projectId: string; authorId: string; reviewers: readonly string[] },
): Promise<void> {
  if (reviewers.length === 0) return
  const known = await findPeople(db, projectId, reviewers)
  const faults = reviewers.flatMap((id, index) => {
    const pointer = `/reviewers/${index}`
    if (id === authorId) return [{ pointer, message: 'is the author' }]
    return known.has(id) ? [] : [{ pointer, message: 'is not a member of the project' }]
  })
  if (faults.length > 0) throw problem('invalid-request', { errors: faults })
}

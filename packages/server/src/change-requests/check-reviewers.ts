import { problem } from '@telltale/core/errors'
import { and, eq, inArray, isNotNull, isNull, or } from 'drizzle-orm'
import { users } from '../engines/postgres/account-schema.ts'
import type { Queryable } from '../engines/postgres/open.ts'
import { memberships } from '../engines/postgres/schema.ts'

/** Throws `invalid-request` for reviewers who aren't there, or who would review what is their own. */
export async function checkReviewers(
  db: Queryable,
  { projectId, authorId, reviewers }: { projectId: string; authorId: string; reviewers: readonly string[] },
): Promise<void> {
  if (reviewers.length === 0) return
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .leftJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.projectId, projectId)))
    .where(
      and(
        inArray(users.id, [...reviewers]),
        isNull(users.disabledAt),
        or(eq(users.role, 'owner'), isNotNull(memberships.userId)),
      ),
    )
  const known = new Set(rows.map(({ id }) => id))
  const faults = reviewers.flatMap((id, index) => {
    const pointer = `/reviewers/${index}`
    if (id === authorId) return [{ pointer, message: 'is the author' }]
    return known.has(id) ? [] : [{ pointer, message: 'is nobody in the project' }]
  })
  if (faults.length > 0) throw problem('invalid-request', { errors: faults })
}

import { and, eq } from 'drizzle-orm'
import type { Queryable } from '../engines/postgres/open.ts'
import { memberships } from '../engines/postgres/schema.ts'

export type MembershipRow = typeof memberships.$inferSelect

export async function findMembership(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<MembershipRow | undefined> {
  const [row] = await db
    .select()
    .from(memberships)
    .where(and(eq(memberships.projectId, projectId), eq(memberships.userId, userId)))
  return row
}

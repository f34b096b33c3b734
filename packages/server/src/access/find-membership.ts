import { and, eq } from 'drizzle-orm'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import { memberships } from '../platform/engines/postgres/schema.ts'

export type MembershipRow = typeof memberships.$inferSelect

export const isMembership = (projectId: string, userId: string) =>
  and(eq(memberships.projectId, projectId), eq(memberships.userId, userId))

export async function findMembership(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<MembershipRow | undefined> {
  const [row] = await db.select().from(memberships).where(isMembership(projectId, userId))
  return row
}

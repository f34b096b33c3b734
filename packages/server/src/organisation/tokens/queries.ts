import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { selectTokens, type TokenWithOwner } from '../../access/find-token.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { apiTokens } from '../../platform/engines/postgres/schema.ts'

/** Newest first, of one owner or limited to one project. */
export async function findTokens(
  db: Queryable,
  of: { ownerId: string } | { projectId: string },
  { after, count }: { after: string | undefined; count: number },
): Promise<TokenWithOwner[]> {
  const scope = 'ownerId' in of ? eq(apiTokens.ownerId, of.ownerId) : eq(apiTokens.projectId, of.projectId)
  return selectTokens(db)
    .where(and(scope, after === undefined ? undefined : lt(apiTokens.id, after)))
    .orderBy(desc(apiTokens.id))
    .limit(count)
}

export async function countActiveTokens(db: Queryable, ownerId: string): Promise<number> {
  return db.$count(apiTokens, and(eq(apiTokens.ownerId, ownerId), isNull(apiTokens.revokedAt)))
}

import { limits } from '@telltale/core/limits'
import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { users } from '../engines/postgres/account-schema.ts'
import type { Queryable } from '../engines/postgres/open.ts'
import { apiTokens, projects } from '../engines/postgres/schema.ts'
import type { UserRow } from '../users/queries.ts'

export type TokenRow = typeof apiTokens.$inferSelect

export interface TokenWithOwner {
  token: TokenRow
  user: UserRow
  project: string | null
}

const withOwner = (db: Queryable) =>
  db
    .select({ token: apiTokens, user: users, project: projects.key })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.ownerId))
    .leftJoin(projects, eq(projects.id, apiTokens.projectId))

export async function findToken(db: Queryable, hash: string): Promise<TokenWithOwner | undefined> {
  const [row] = await withOwner(db).where(eq(apiTokens.hash, hash))
  return row
}

export async function findTokenById(db: Queryable, id: string): Promise<TokenWithOwner | undefined> {
  const [row] = await withOwner(db).where(eq(apiTokens.id, id))
  return row
}

/** Newest first, of one owner or limited to one project. */
export async function findTokens(
  db: Queryable,
  of: { ownerId: string } | { projectId: string },
  { after, count }: { after: string | undefined; count: number },
): Promise<TokenWithOwner[]> {
  const scope = 'ownerId' in of ? eq(apiTokens.ownerId, of.ownerId) : eq(apiTokens.projectId, of.projectId)
  return withOwner(db)
    .where(and(scope, after === undefined ? undefined : lt(apiTokens.id, after)))
    .orderBy(desc(apiTokens.id))
    .limit(count)
}

export async function countActiveTokens(db: Queryable, ownerId: string): Promise<number> {
  return db.$count(apiTokens, and(eq(apiTokens.ownerId, ownerId), isNull(apiTokens.revokedAt)))
}

/** Notes the use of a token, at most once a minute. */
export async function touchToken(db: Queryable, token: TokenRow, now: Date): Promise<void> {
  if (token.lastUsedAt && now.getTime() - token.lastUsedAt.getTime() < limits.lastUsedPrecision) return
  await db.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.id, token.id))
}

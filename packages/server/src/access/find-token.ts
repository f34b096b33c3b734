import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { type UserRow, users } from '../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import { apiTokens, projects } from '../platform/engines/postgres/schema.ts'

export type TokenRow = typeof apiTokens.$inferSelect

export interface TokenWithOwner {
  token: TokenRow
  user: UserRow
  project: string | null
}

export const selectTokens = (db: Queryable) =>
  db
    .select({ token: apiTokens, user: users, project: projects.key })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.ownerId))
    .leftJoin(projects, eq(projects.id, apiTokens.projectId))

export async function findToken(db: Queryable, hash: string): Promise<TokenWithOwner | undefined> {
  const [row] = await selectTokens(db).where(eq(apiTokens.hash, hash))
  return row
}

export async function findTokenById(db: Queryable, id: string): Promise<TokenWithOwner | undefined> {
  const [row] = await selectTokens(db).where(eq(apiTokens.id, id))
  return row
}

/** Records the use of a token, at most once a minute. */
export async function touchToken(db: Queryable, token: TokenRow, now: Date): Promise<void> {
  if (token.lastUsedAt && now.getTime() - token.lastUsedAt.getTime() < limits.lastUsedPrecision) return
  await db.update(apiTokens).set({ lastUsedAt: now }).where(eq(apiTokens.id, token.id))
}

import { and, asc, eq, gt, ilike, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import { advisoryLocks } from '../../platform/engines/postgres/advisory-locks.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row
}

/** Locks the user until the transaction ends. */
export async function lockUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id)).for('update')
  return row
}

export async function findUserByEmail(db: Queryable, email: string): Promise<UserRow | undefined> {
  const [row] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.toLowerCase()))
  return row
}

export const userSortKey = sql<string>`lower(${users.email})`

/** Whose name or address contains this text. */
export function matchesUser(search: string | undefined): SQL | undefined {
  if (search === undefined) return undefined
  const pattern = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return or(ilike(users.email, pattern), ilike(users.name, pattern))
}

export const isAfterUser = (after: string | undefined) =>
  after === undefined ? undefined : gt(userSortKey, after)

/** By e-mail address, after the given one. */
export async function findUsers(
  db: Queryable,
  { search, after, count }: { search: string | undefined; after: string | undefined; count: number },
): Promise<UserRow[]> {
  return db
    .select()
    .from(users)
    .where(and(matchesUser(search), isAfterUser(after)))
    .orderBy(asc(userSortKey))
    .limit(count)
}

/** Serializes changes of owners, so that the last two cannot be removed at the same time. */
export async function lockOwners(db: Queryable): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.owners})`)
}

/** The number of active owners besides this user. */
export async function countOtherOwners(db: Queryable, userId: string): Promise<number> {
  return db.$count(users, and(eq(users.role, 'owner'), isNull(users.disabledAt), ne(users.id, userId)))
}

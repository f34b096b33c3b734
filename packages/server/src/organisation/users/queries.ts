import { and, asc, eq, gt, ilike, isNull, ne, or, sql } from 'drizzle-orm'
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

/** By e-mail address, after the given one. */
export async function findUsers(
  db: Queryable,
  { search, after, count }: { search: string | undefined; after: string | undefined; count: number },
): Promise<UserRow[]> {
  const pattern = search === undefined ? undefined : `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return db
    .select()
    .from(users)
    .where(
      and(
        pattern === undefined ? undefined : or(ilike(users.email, pattern), ilike(users.name, pattern)),
        after === undefined ? undefined : gt(sql`lower(${users.email})`, after),
      ),
    )
    .orderBy(asc(sql`lower(${users.email})`))
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

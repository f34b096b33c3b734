import { and, asc, eq, gt, ilike, isNull, ne, or, sql } from 'drizzle-orm'
import type { Queryable } from '../engines/postgres/open.ts'
import { users } from '../engines/postgres/schema.ts'

export type UserRow = typeof users.$inferSelect

export async function findUser(db: Queryable, id: string): Promise<UserRow | undefined> {
  const [row] = await db.select().from(users).where(eq(users.id, id))
  return row
}

/** The user, locked until the transaction ends. */
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

/** By e-mail, after the given one. */
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

/** How many active owners there are besides this user. Locks them, so that two can't leave at the same time. */
export async function countOtherOwners(db: Queryable, userId: string): Promise<number> {
  const owners = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.role, 'owner'), isNull(users.disabledAt), ne(users.id, userId)))
    .for('update')
  return owners.length
}

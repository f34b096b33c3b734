import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { isMembership, type MembershipRow } from '../../access/find-membership.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'

export interface MemberRow {
  membership: MembershipRow
  user: UserRow
}

/** The member; the membership is locked until the transaction ends. */
export async function lockMember(
  db: Queryable,
  projectId: string,
  userId: string,
): Promise<MemberRow | undefined> {
  const [row] = await db
    .select({ membership: memberships, user: users })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(isMembership(projectId, userId))
    .for('update', { of: memberships })
  return row
}

/** By e-mail address, after the given one. `sortKey` is the sort column. */
export async function findMembers(
  db: Queryable,
  { projectId, after, count }: { projectId: string; after: string | undefined; count: number },
) {
  const sortKey = sql<string>`lower(${users.email})`
  return db
    .select({ membership: memberships, user: users, sortKey })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(eq(memberships.projectId, projectId), after === undefined ? undefined : gt(sortKey, after)))
    .orderBy(asc(sortKey))
    .limit(count)
}

/** Owners of the installation, by name. */
export async function findOwners(db: Queryable): Promise<{ id: string; name: string }[]> {
  return db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(and(eq(users.role, 'owner'), isNull(users.disabledAt)))
    .orderBy(asc(users.name))
}

export async function countMembers(db: Queryable, projectId: string): Promise<number> {
  return db.$count(memberships, eq(memberships.projectId, projectId))
}

/** Which of these accounts have access to a project: its members and owners, without disabled accounts. */
export async function findPeople(
  db: Queryable,
  projectId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .leftJoin(memberships, and(eq(memberships.userId, users.id), eq(memberships.projectId, projectId)))
    .where(
      and(
        inArray(users.id, [...ids]),
        isNull(users.disabledAt),
        or(eq(users.role, 'owner'), isNotNull(memberships.userId)),
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

import type { ScimFilter } from '@telltale/core/scim/filter'
import type { ScimUser, StoredUser } from '@telltale/core/scim/user'
import { and, asc, eq, inArray, ne, or, type SQL, sql } from 'drizzle-orm'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type ScimUserRow, scimUsers } from '../../platform/engines/postgres/scim-schema.ts'
import { teamMembers, teams } from '../../platform/engines/postgres/team-schema.ts'
import { type FilterColumn, filterCondition } from './filter-condition.ts'
import type { ListQuery } from './read-list.ts'

export interface FoundUser {
  user: UserRow
  /** Null until a provider took the account over. */
  scim: ScimUserRow | null
}

const lower = (column: SQL) => sql`lower(${column})`
const userName = lower(sql`coalesce(${scimUsers.userName}, ${users.email})`)

const columns: Readonly<Record<string, FilterColumn>> = {
  id: { kind: 'text', column: sql`${users.id}::text` },
  username: { kind: 'text', column: userName },
  externalid: { kind: 'text', column: sql`${scimUsers.externalId}`, isExact: true },
  displayname: { kind: 'text', column: lower(sql`coalesce(${scimUsers.displayName}, ${users.name})`) },
  'name.givenname': { kind: 'text', column: lower(sql`${scimUsers.givenName}`) },
  'name.familyname': { kind: 'text', column: lower(sql`${scimUsers.familyName}`) },
  emails: { kind: 'text', column: lower(sql`${users.email}`) },
  'emails.value': { kind: 'text', column: lower(sql`${users.email}`) },
  'emails.type': { kind: 'constant', value: 'work' },
  'emails.primary': { kind: 'constant', value: 'true' },
  active: { kind: 'boolean', column: sql`(${users.disabledAt} IS NULL)` },
}

const conditionOf = (filter: ScimFilter | undefined) => filter && filterCondition(filter, columns)

const selectUsers = (db: Queryable) =>
  db.select({ user: users, scim: scimUsers }).from(users).leftJoin(scimUsers, eq(scimUsers.userId, users.id))

/** In the order in which they were created. */
export async function findScimUsers(
  db: Queryable,
  { filter, startIndex, count }: ListQuery,
): Promise<{ rows: FoundUser[]; total: number }> {
  const condition = conditionOf(filter)
  const [counted] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(users)
    .leftJoin(scimUsers, eq(scimUsers.userId, users.id))
    .where(condition)
  const rows =
    count === 0
      ? []
      : await selectUsers(db)
          .where(condition)
          .orderBy(asc(users.id))
          .offset(startIndex - 1)
          .limit(count)
  return { rows, total: counted?.total ?? 0 }
}

export async function findScimUser(db: Queryable, id: string): Promise<FoundUser | undefined> {
  const [row] = await selectUsers(db).where(eq(users.id, id))
  return row
}

/** Whether another account has the user name, as such or as its address. */
export async function isUserNameTaken(db: Queryable, name: string, besides?: string): Promise<boolean> {
  const wanted = name.toLowerCase()
  const rows = await selectUsers(db)
    .where(
      and(
        or(eq(userName, wanted), eq(sql`lower(${users.email})`, wanted)),
        besides === undefined ? undefined : ne(users.id, besides),
      ),
    )
    .limit(1)
  return rows.length > 0
}

/** The attributes as a provider knows them. An address that is the user name follows it. */
export function toScimUser({ user, scim }: FoundUser): ScimUser & { active: boolean } {
  const name = scim?.userName ?? user.email
  return {
    userName: name,
    externalId: scim?.externalId ?? undefined,
    displayName: scim?.displayName ?? undefined,
    formatted: scim?.formatted ?? undefined,
    givenName: scim?.givenName ?? undefined,
    familyName: scim?.familyName ?? undefined,
    email: user.email.toLowerCase() === name.toLowerCase() ? undefined : user.email,
    active: user.disabledAt === null,
  }
}

/** With the groups of each one. */
export async function describeUsers(db: Queryable, found: readonly FoundUser[]): Promise<StoredUser[]> {
  const ids = found.map(({ user }) => user.id)
  const groups =
    ids.length === 0
      ? []
      : await db
          .select({ userId: teamMembers.userId, id: teams.id, name: teams.name })
          .from(teamMembers)
          .innerJoin(teams, eq(teams.id, teamMembers.teamId))
          .where(and(eq(teams.scim, true), inArray(teamMembers.userId, ids)))
          .orderBy(asc(teams.name))
  return found.map((one) => ({
    ...toScimUser(one),
    id: one.user.id,
    address: one.user.email,
    name: one.user.name,
    createdAt: one.user.createdAt,
    groups: groups.filter(({ userId }) => userId === one.user.id),
  }))
}

export async function storeScimUser(db: Queryable, userId: string, user: ScimUser): Promise<void> {
  const row = {
    userName: user.userName,
    externalId: user.externalId ?? null,
    displayName: user.displayName ?? null,
    formatted: user.formatted ?? null,
    givenName: user.givenName ?? null,
    familyName: user.familyName ?? null,
  }
  await db
    .insert(scimUsers)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: scimUsers.userId, set: row })
}

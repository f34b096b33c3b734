import { limits } from '@telltale/core/limits'
import type { StoredGroup } from '@telltale/core/scim/group'
import { and, asc, eq, inArray, ne, type SQL, sql } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type TeamRow, teamMembers, teams } from '../../platform/engines/postgres/team-schema.ts'
import { type FilterColumn, filterCondition } from './filter-condition.ts'
import type { ListQuery } from './read-list.ts'

const columns: Readonly<Record<string, FilterColumn>> = {
  id: { kind: 'text', column: sql`${teams.id}::text` },
  displayname: { kind: 'text', column: sql`lower(${teams.name})` },
  externalid: { kind: 'text', column: sql`${teams.externalId}`, isExact: true },
  members: { kind: 'among', has: hasMember },
  'members.value': { kind: 'among', has: hasMember },
}

function hasMember(id: string): SQL {
  return sql`EXISTS (
    SELECT FROM ${teamMembers}
    WHERE ${teamMembers.teamId} = ${teams.id} AND ${teamMembers.userId}::text = ${id}
  )`
}

/** Teams that a provider manages, in the order in which they were created. */
export async function findGroups(
  db: Queryable,
  { filter, startIndex, count }: ListQuery,
): Promise<{ rows: TeamRow[]; total: number }> {
  const condition = and(eq(teams.scim, true), filter && filterCondition(filter, columns))
  const total = await db.$count(teams, condition)
  const rows =
    count === 0
      ? []
      : await db
          .select()
          .from(teams)
          .where(condition)
          .orderBy(asc(teams.id))
          .offset(startIndex - 1)
          .limit(count)
  return { rows, total }
}

export async function findGroup(db: Queryable, id: string): Promise<TeamRow | undefined> {
  const [row] = await db
    .select()
    .from(teams)
    .where(and(eq(teams.id, id), eq(teams.scim, true)))
  return row
}

/** Locks the team until the transaction ends. */
export async function lockGroup(db: Queryable, id: string): Promise<TeamRow | undefined> {
  const [row] = await db
    .select()
    .from(teams)
    .where(and(eq(teams.id, id), eq(teams.scim, true)))
    .for('update')
  return row
}

export async function isGroupNameTaken(db: Queryable, name: string, besides?: string): Promise<boolean> {
  const isNamed = and(
    eq(teams.scim, true),
    eq(sql`lower(${teams.name})`, name.toLowerCase()),
    besides === undefined ? undefined : ne(teams.id, besides),
  )
  return (await db.$count(teams, isNamed)) > 0
}

/** A team of the same name that was made by hand and waits for its members. */
export async function findWaitingTeam(db: Queryable, name: string): Promise<TeamRow | undefined> {
  const [row] = await db
    .select()
    .from(teams)
    .where(
      and(
        eq(teams.scim, false),
        eq(sql`lower(${teams.name})`, name.toLowerCase()),
        sql`NOT EXISTS (SELECT FROM ${teamMembers} WHERE ${teamMembers.teamId} = ${teams.id})`,
      ),
    )
    .orderBy(asc(teams.key))
    .limit(1)
    .for('update')
  return row
}

/** With members if asked for: as many groups as fit in an answer, at least one. */
export async function describeGroups(
  db: Queryable,
  rows: readonly TeamRow[],
  { withMembers }: { withMembers: boolean },
): Promise<StoredGroup[]> {
  const groups = rows.map(({ id, name, externalId, createdAt }) => ({
    ...{ id, displayName: name, externalId: externalId ?? undefined, createdAt },
  }))
  if (!withMembers || rows.length === 0) return groups.map((group) => ({ ...group, members: undefined }))
  const sizes = await countMembers(db, rows)
  let room = limits.scimMembersListed
  const fitting = groups.filter(({ id }, index) => {
    room -= sizes.get(id) ?? 0
    return index === 0 || room >= 0
  })
  const members = await db
    .select({ teamId: teamMembers.teamId, id: users.id, name: users.name })
    .from(teamMembers)
    .innerJoin(users, eq(users.id, teamMembers.userId))
    .where(
      inArray(
        teamMembers.teamId,
        fitting.map(({ id }) => id),
      ),
    )
    .orderBy(asc(users.id))
  const ofTeam = new Map<string, { id: string; name: string }[]>()
  for (const { teamId, id, name } of members) {
    const before = ofTeam.get(teamId)
    if (before === undefined) ofTeam.set(teamId, [{ id, name }])
    else before.push({ id, name })
  }
  return fitting.map((group) => ({ ...group, members: ofTeam.get(group.id) ?? [] }))
}

async function countMembers(db: Queryable, rows: readonly TeamRow[]): Promise<ReadonlyMap<string, number>> {
  const counted = await db
    .select({ id: teamMembers.teamId, members: sql<number>`count(*)::int` })
    .from(teamMembers)
    .where(
      inArray(
        teamMembers.teamId,
        rows.map(({ id }) => id),
      ),
    )
    .groupBy(teamMembers.teamId)
  return new Map(counted.map(({ id, members }) => [id, members]))
}

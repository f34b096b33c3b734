import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, eq, inArray } from 'drizzle-orm'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { type TeamRow, teamMembers } from '../../platform/engines/postgres/team-schema.ts'
import { findUser } from '../users/queries.ts'
import { countTeamMembers, findMembersAmong, lockTeam } from './queries.ts'
import { refuseManagedTeam, teamMemberChange } from './team.ts'

interface TeamMemberRef {
  key: string
  userId: string
}

/** Does nothing if the user is a member already. */
export const addTeamMember = change(async (context, { key, userId }: TeamMemberRef) => {
  const team = await lockTeam(context.db, key)
  await refuseManagedTeam(context.db, team)
  const user = await findUser(context.db, userId)
  if (user === undefined) throw problem('not-found', 'There is no such user.')
  return { reply: null, changes: await joinTeam(context, team, [user]) }
})

export const removeTeamMember = change(async (context, { key, userId }: TeamMemberRef) => {
  const team = await lockTeam(context.db, key)
  await refuseManagedTeam(context.db, team)
  const changes = await leaveTeam(context, team, [userId])
  if (changes.length === 0) throw problem('not-found', 'There is no such member of the team.')
  return { reply: null, changes }
})

type Member = Pick<UserRow, 'id' | 'email'>

/** Adds those who are not in the team, which is locked. Throws `in-use`. */
export async function joinTeam(
  { db, now }: ChangeContext,
  team: TeamRow,
  joining: readonly Member[],
): Promise<EntityChange[]> {
  const inside = await findMembersAmong(
    db,
    team.id,
    joining.map(({ id }) => id),
  )
  const added = joining.filter(({ id }) => !inside.has(id))
  if (added.length === 0) return []
  if ((await countTeamMembers(db, team.id)) + added.length > limits.teamMembers) {
    throw problem('in-use', `A team has at most ${limits.teamMembers} members.`)
  }
  await db
    .insert(teamMembers)
    .values(added.map(({ id }) => ({ teamId: team.id, userId: id, createdAt: now })))
  return added.map((user) => teamMemberChange('add-member', { team, user }))
}

/** Removes those who are in the team. */
export async function leaveTeam(
  { db }: ChangeContext,
  team: TeamRow,
  userIds: readonly string[],
): Promise<EntityChange[]> {
  if (userIds.length === 0) return []
  const { id, email } = users
  const left = await db
    .delete(teamMembers)
    .where(and(eq(teamMembers.teamId, team.id), inArray(teamMembers.userId, [...userIds])))
    .returning({ id: teamMembers.userId })
  const ids = left.map((row) => row.id)
  const removed = await db.select({ id, email }).from(users).where(inArray(id, ids))
  return removed.map((user) => teamMemberChange('remove-member', { team, user }))
}

// Groups of a provider are teams. What a team may do in a project is decided there.

import { keyOf } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import type { GroupChange, MemberStep } from '@telltale/core/scim/group'
import { invalid, ScimError } from '@telltale/core/scim/scim-error'
import { eq, inArray } from 'drizzle-orm'
import { validate as isId } from 'uuid'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type TeamRow, teams } from '../../platform/engines/postgres/team-schema.ts'
import { insertTeam } from '../teams/create-team.ts'
import { dropTeam } from '../teams/delete-team.ts'
import { findMemberIds } from '../teams/queries.ts'
import { joinTeam, leaveTeam } from '../teams/set-team-members.ts'
import { teamChange } from '../teams/team.ts'
import { lockScim } from './change-user.ts'
import { findGroup, findWaitingTeam, isGroupNameTaken, lockGroup } from './group-queries.ts'

type WholeGroup = GroupChange & { displayName: string }

const nameTaken = (name: string) => new ScimError(409, 'uniqueness', `There is a group ${name} already.`)

/** Takes over a team of that name that has no members: it may have roles already. */
export const createGroup = change(async (context, { wanted }: { wanted: WholeGroup }) => {
  const { db } = context
  await lockScim(db)
  const { displayName, externalId = null } = wanted
  if (await isGroupNameTaken(db, displayName)) throw nameTaken(displayName)
  const waiting = await findWaitingTeam(db, displayName)
  const made =
    waiting === undefined
      ? await insertTeam(context, { key: await freeKey(db, displayName), name: displayName })
      : {
          row: waiting,
          changes: [teamChange('update', { ...waiting, scim: true }, waiting)],
        }
  const team = { ...made.row, scim: true, externalId }
  await db.update(teams).set({ scim: true, externalId }).where(eq(teams.id, team.id))
  const joined = await applySteps(context, team, wanted.members)
  return { reply: team, changes: [...made.changes, ...joined] }
})

/** Of names without letters a key can have, `group`. */
async function freeKey(db: Queryable, name: string): Promise<string> {
  const base = keyOf(name) || 'group'
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`
    const key = base.slice(0, limits.keyLength - suffix.length) + suffix
    if ((await db.$count(teams, eq(teams.key, key))) === 0) return key
  }
}

interface GroupUpdate {
  id: string
  wanted: GroupChange
}

export const updateGroup = change(async (context, { id, wanted }: GroupUpdate) => {
  const { db } = context
  await lockScim(db)
  const before = await lockOne(db, id)
  const after = {
    ...before,
    name: wanted.displayName ?? before.name,
    externalId: wanted.externalId === undefined ? before.externalId : wanted.externalId,
  }
  const isRenamed = after.name !== before.name
  if (isRenamed && before.managed) {
    throw new ScimError(400, 'mutability', 'The setup file decides the name of this group.')
  }
  if (isRenamed && (await isGroupNameTaken(db, after.name, id))) throw nameTaken(after.name)
  await db.update(teams).set({ name: after.name, externalId: after.externalId }).where(eq(teams.id, id))
  const moved = await applySteps(context, after, wanted.members)
  return {
    reply: after,
    changes: [...(isRenamed ? [teamChange('update', after, before)] : []), ...moved],
  }
})

async function lockOne(db: Queryable, id: string): Promise<TeamRow> {
  const found = isId(id) ? await lockGroup(db, id) : undefined
  if (found === undefined) throw noGroup()
  return found
}

const noGroup = () => new ScimError(404, undefined, 'There is no such group.')

export async function getGroup(db: Queryable, id: string): Promise<TeamRow> {
  const found = isId(id) ? await findGroup(db, id) : undefined
  if (found === undefined) throw noGroup()
  return found
}

/** A team of the setup file stays, without members. */
export const deleteGroup = change(async (context, { id }: { id: string }) => {
  const { db } = context
  await lockScim(db)
  const team = await lockOne(db, id)
  if (!team.managed) return { reply: null, changes: await dropTeam(context, team) }
  const changes = await leaveTeam(context, team, await findMemberIds(db, id))
  await db.update(teams).set({ scim: false, externalId: null }).where(eq(teams.id, id))
  return { reply: null, changes }
})

async function applySteps(
  context: ChangeContext,
  team: TeamRow,
  steps: readonly MemberStep[],
): Promise<EntityChange[]> {
  const changes: EntityChange[] = []
  for (const { kind, ids } of steps) {
    const wanted = ids.filter((id) => isId(id))
    if (kind === 'remove') {
      changes.push(...(await leaveTeam(context, team, wanted)))
      continue
    }
    if (kind === 'set') {
      const kept = new Set(wanted)
      const gone = (await findMemberIds(context.db, team.id)).filter((id) => !kept.has(id))
      changes.push(...(await leaveTeam(context, team, gone)))
    }
    changes.push(...(await joinTeam(context, team, await getUsers(context.db, ids))))
  }
  return changes
}

/** Throws `invalidValue` for an id without a user, so that no member is lost silently. */
async function getUsers(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return []
  const { id, email } = users
  const wanted = ids.filter((one) => isId(one))
  const found = await db.select({ id, email }).from(users).where(inArray(id, wanted))
  const known = new Set(found.map((user) => user.id))
  const missing = ids.find((one) => !known.has(one))
  if (missing !== undefined) throw invalid('invalidValue', `There is no user ${missing.slice(0, 64)}.`)
  return found
}

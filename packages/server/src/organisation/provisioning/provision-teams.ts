import { isDeepStrictEqual } from 'node:util'
import type { Grant } from '@telltale/core/rights'
import { and, eq } from 'drizzle-orm'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import {
  type TeamRoleRow,
  type TeamRow,
  teamRoles,
  teams,
} from '../../platform/engines/postgres/team-schema.ts'
import { findTeamEnvironmentRoles } from '../members/queries.ts'
import { storeTeamEnvironmentRoles } from '../members/store-environment-roles.ts'
import { insertTeam } from '../teams/create-team.ts'
import { findMemberIds, findTeam, lockTeam, lockTeamRole } from '../teams/queries.ts'
import { joinTeam, leaveTeam } from '../teams/set-team-members.ts'
import { giveTeamRole } from '../teams/set-team-role.ts'
import { teamChange, teamRoleChange } from '../teams/team.ts'
import { findUserByEmail } from '../users/queries.ts'
import type { TeamDeclaration, TeamRoleDeclaration } from './declarations.ts'
import { provisionEnvironmentRoles } from './provision-environment-roles.ts'
import { attempt, type Provisioning } from './provisioning.ts'

/** `addresses`: of owner and users in the file. */
export async function provisionTeams(
  run: Provisioning,
  declared: readonly TeamDeclaration[],
  addresses: ReadonlySet<string>,
): Promise<void> {
  for (const team of declared) await provisionTeam(run, team, addresses)
}

async function provisionTeam(
  run: Provisioning,
  declared: TeamDeclaration,
  addresses: ReadonlySet<string>,
): Promise<void> {
  const { pointer, key, name = key, description, manage } = declared
  const found = await findTeam(run.db, key)
  const isDue = run.memory.isDue(`team ${key}`, { exists: found !== undefined, manage })
  const draft = { key, name, description, managed: manage }
  const made = isDue ? await attempt(run, pointer, () => insertTeam(run, draft)) : undefined
  if (!made && !found) return
  const before = made?.row ?? (await lockTeam(run.db, key))
  if (manage) run.managed.add(before.id)
  if (manage && !made) {
    await storeTeam(run, before, {
      ...{ ...before, managed: true },
      ...{ name: declared.name ?? before.name, description: description ?? before.description },
    })
  }
  // The provider decides who is in a group, whatever the file says.
  if (before.scim) return
  await provisionMembers(run, { team: before, isNew: made !== undefined, addresses }, declared)
}

interface Place {
  team: TeamRow
  isNew: boolean
  addresses: ReadonlySet<string>
}

/** With `manage`, exactly those of the file are members; without it, each one is added once. */
async function provisionMembers(
  run: Provisioning,
  { team, isNew, addresses }: Place,
  { pointer, members, manage }: TeamDeclaration,
): Promise<void> {
  if (members === undefined) return
  const joining: UserRow[] = []
  for (const { pointer: place, email } of members) {
    const address = email.toLowerCase()
    const identity = `team member ${team.key}/${address}`
    const user = await findUserByEmail(run.db, email)
    const isPast = run.memory.has(identity) && !manage
    if (!user && !isPast && !addresses.has(address)) {
      run.faults.push({ pointer: place, message: 'has no account and is not declared in this file' })
    }
    const isPartOfNew = isNew || (user !== undefined && run.newUsers.has(user.id))
    if (user && run.memory.isDue(identity, { exists: false, manage, isPartOfNew })) joining.push(user)
  }
  await attempt(run, pointer, async () => ({ changes: await joinTeam(run, team, joining) }))
  if (!manage) return
  const kept = new Set(joining.map(({ id }) => id))
  const gone = (await findMemberIds(run.db, team.id)).filter((id) => !kept.has(id))
  run.changes.push(...(await leaveTeam(run, team, gone)))
}

/** Writes a team changed by the file, if there is a difference. */
export async function storeTeam(
  { db, changes }: Provisioning,
  before: TeamRow,
  after: TeamRow,
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return
  const { name, description, managed } = after
  await db.update(teams).set({ name, description, managed }).where(eq(teams.id, before.id))
  const entry = teamChange('update', after, before)
  changes.push({
    ...entry,
    before: { ...entry.before, managed: before.managed },
    after: { ...entry.after, managed },
  })
}

interface ProjectRef {
  id: string
  key: string
}

export async function provisionTeamRole(
  run: Provisioning,
  { project, isNew }: { project: ProjectRef; isNew: boolean },
  { pointer, team: key, role, environments, manage }: TeamRoleDeclaration,
): Promise<void> {
  const identity = `team role ${project.key}/${key}`
  const team = await findTeam(run.db, key)
  if (team === undefined) {
    const isPast = run.memory.has(identity) && !manage
    if (!isPast)
      run.faults.push({ pointer: `${pointer}/team`, message: 'is not a team, here or in this file' })
    return
  }
  const found = await lockTeamRole(run.db, { projectId: project.id, teamId: team.id })
  const isDue = run.memory.isDue(identity, { exists: found !== undefined, manage, isPartOfNew: isNew })
  if (isDue) {
    const given = { ...{ team, project, role, environments, managed: manage }, author: setupFile }
    await attempt(run, pointer, async () => ({ changes: await giveTeamRole(run, given) }))
  }
  if (manage && found) {
    await provisionEnvironmentRoles(run, {
      ...{ pointer, wanted: environments },
      before: await findTeamEnvironmentRoles(run.db, project.id, team.id),
      store: (wanted) => storeTeamEnvironmentRoles(run, { project, teamId: team.id, wanted }),
      entry: teamRoleChange({ team, project, after: found }),
    })
  }
  if (!manage) return
  run.managed.add(nameOfTeamRole({ projectId: project.id, teamId: team.id }))
  if (found)
    await storeTeamRole(run, { project, team }, { before: found, after: { ...found, role, managed: true } })
}

export const nameOfTeamRole = ({ projectId, teamId }: Pick<TeamRoleRow, 'projectId' | 'teamId'>) =>
  `${projectId} ${teamId}`

/** Writes a role changed by the file, if there is a difference. */
export async function storeTeamRole(
  { db, changes }: Provisioning,
  { project, team }: { project: ProjectRef; team: TeamRow },
  { before, after }: { before: TeamRoleRow; after: TeamRoleRow },
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return
  const { role, managed } = after
  await db
    .update(teamRoles)
    .set({ role, managed })
    .where(and(eq(teamRoles.projectId, project.id), eq(teamRoles.teamId, team.id)))
  changes.push({
    ...teamRoleChange({ team, project, after }),
    before: { role: before.role, managed: before.managed },
    after: { role, managed },
  })
}

/** What the setup file may do: it is part of the installation. */
const setupFile: Grant = { kind: 'installation', role: 'owner' }

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { type Grant, rightsOf } from '@telltale/core/rights'
import { and, eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { findPermissions } from '../../access/find-rights.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { type TeamRow, teamRoles } from '../../platform/engines/postgres/team-schema.ts'
import { takeRole } from '../roles/queries.ts'
import { refuseExcess } from '../roles/refuse-excess.ts'
import { findTeamsOfProject, lockTeam, lockTeamRole } from './queries.ts'
import { teamRoleChange, toProjectTeam } from './team.ts'

interface ProjectRef {
  id: string
  key: string
}

interface NewTeamRole {
  project: ProjectRef
  key: string
  role: string
  /** What its author may do, which is the most that they can give. */
  author: Grant
}

/** Roles of every team can be given by the project, also of managed teams: they say who is in it, not what it may. */
export const setTeamRole = change(async (context, { project, key, role, author }: NewTeamRole) => {
  const team = await lockTeam(context.db, key)
  const changes = await giveTeamRole(context, { team, project, role, author })
  const [found] = await findTeamsOfProject(context.db, project.id, team.id)
  if (found === undefined) throw problem('internal')
  return { reply: toProjectTeam(found), changes }
})

interface GivenRole {
  team: TeamRow
  project: ProjectRef
  role: string
  /** What its author may do, which is the most that they can give. */
  author: Grant
  managed?: boolean
}

/** The team is locked. Throws `managed` and `in-use`. */
export async function giveTeamRole(
  { db, now }: ChangeContext,
  { team, project, role, author, managed = false }: GivenRole,
): Promise<EntityChange[]> {
  const before = await lockTeamRole(db, { projectId: project.id, teamId: team.id })
  if (before?.managed) throw problem('managed')
  if (before?.role === role) return []
  const permissions = await takeRole(db, { projectId: project.id, key: role }, '/role')
  const held = before && (await findPermissions(db, { projectId: project.id, role: before.role }))
  refuseExcess(author, { before: held && rightsOf(held), after: rightsOf(permissions) })
  if (before !== undefined) {
    await db.update(teamRoles).set({ role }).where(isRole(team, project))
    return [teamRoleChange({ team, project, before, after: { ...before, role } })]
  }
  if (!(await lockProject(db, project.id))) throw problem('not-found')
  if ((await db.$count(teamRoles, eq(teamRoles.projectId, project.id))) >= limits.teamsPerProject) {
    throw problem('in-use', `At most ${limits.teamsPerProject} teams have a role in a project.`)
  }
  const after = { projectId: project.id, teamId: team.id, role, createdAt: now, managed }
  await db.insert(teamRoles).values(after)
  return [teamRoleChange({ team, project, after })]
}

const isRole = (team: { id: string }, project: { id: string }) =>
  and(eq(teamRoles.teamId, team.id), eq(teamRoles.projectId, project.id))

export const removeTeamRole = change(
  async ({ db }, { project, key }: Omit<NewTeamRole, 'role' | 'author'>) => {
    const team = await lockTeam(db, key)
    const before = await lockTeamRole(db, { projectId: project.id, teamId: team.id })
    if (before === undefined) throw problem('not-found', 'The team has no role in the project.')
    if (before.managed) throw problem('managed')
    await db.delete(teamRoles).where(isRole(team, project))
    return { reply: null, changes: [teamRoleChange({ team, project, before })] }
  },
)

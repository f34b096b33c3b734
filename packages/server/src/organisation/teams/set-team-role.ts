import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { Grant } from '@telltale/core/rights'
import { and, eq } from 'drizzle-orm'
import { lockProject } from '../../access/find-project.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { type TeamRoleRow, type TeamRow, teamRoles } from '../../platform/engines/postgres/team-schema.ts'
import { areSameRoles } from '../members/environment-roles.ts'
import { rightsOfRoles } from '../members/give-roles.ts'
import { type EnvironmentRole, findTeamEnvironmentRoles } from '../members/queries.ts'
import { storeTeamEnvironmentRoles } from '../members/store-environment-roles.ts'
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
  /** Roles in single environments, which replace the existing ones; undefined keeps those. */
  environments?: readonly EnvironmentRole[] | undefined
  /** What its author may do, which is the most that they can give. */
  author: Grant
}

/** Roles of every team can be given by the project, also of managed teams: they say who is in it, not what it may. */
export const setTeamRole = change(async (context, { project, key, ...given }: NewTeamRole) => {
  const team = await lockTeam(context.db, key)
  const changes = await giveTeamRole(context, { team, project, ...given })
  const [found] = await findTeamsOfProject(context.db, project.id, team.id)
  if (found === undefined) throw problem('internal')
  return { reply: toProjectTeam(found), changes }
})

interface GivenRole {
  team: TeamRow
  project: ProjectRef
  role: string
  /** Roles in single environments, which replace the existing ones; undefined keeps those. */
  environments?: readonly EnvironmentRole[] | undefined
  /** What its author may do, which is the most that they can give. */
  author: Grant
  managed?: boolean
}

/** The team is locked. Throws `managed`, `in-use` and `invalid-request`. */
export async function giveTeamRole(context: ChangeContext, given: GivenRole): Promise<EntityChange[]> {
  const { db } = context
  const { team, project, role, author } = given
  const before = await lockTeamRole(db, { projectId: project.id, teamId: team.id })
  if (before?.managed) throw problem('managed')
  const held = (await findTeamEnvironmentRoles(db, project.id, team.id)).map((one) => ({
    ...{ env: one.env, role: one.role },
  }))
  const wanted = given.environments ?? held
  if (before?.role === role && areSameRoles(wanted, held)) return []

  const place = { db, projectId: project.id }
  refuseExcess(author, {
    before: before && (await rightsOfRoles(place, { role: before.role, environments: held })),
    after: await rightsOfRoles(place, { role, environments: wanted }),
  })
  const after = before
    ? { ...before, role }
    : await insertTeamRole(context, { project, team, role, managed: given.managed ?? false })
  if (before) await db.update(teamRoles).set({ role }).where(isRole(team, project))
  const stored = await storeTeamEnvironmentRoles(context, { project, teamId: team.id, wanted })
  const environments = { before: held, after: stored }
  return [teamRoleChange({ team, project, ...(before && { before }), after, environments })]
}

interface InsertedRole {
  project: ProjectRef
  team: TeamRow
  role: string
  managed: boolean
}

async function insertTeamRole(
  { db, now }: ChangeContext,
  { project, team, role, managed }: InsertedRole,
): Promise<TeamRoleRow> {
  if (!(await lockProject(db, project.id))) throw problem('not-found')
  if ((await db.$count(teamRoles, eq(teamRoles.projectId, project.id))) >= limits.teamsPerProject) {
    throw problem('in-use', `At most ${limits.teamsPerProject} teams have a role in a project.`)
  }
  const row = { projectId: project.id, teamId: team.id, role, createdAt: now, managed }
  await db.insert(teamRoles).values(row)
  return row
}

const isRole = (team: { id: string }, project: { id: string }) =>
  and(eq(teamRoles.teamId, team.id), eq(teamRoles.projectId, project.id))

export const removeTeamRole = change(
  async ({ db }, { project, key }: Pick<NewTeamRole, 'project' | 'key'>) => {
    const team = await lockTeam(db, key)
    const before = await lockTeamRole(db, { projectId: project.id, teamId: team.id })
    if (before === undefined) throw problem('not-found', 'The team has no role in the project.')
    if (before.managed) throw problem('managed')
    const environments = { before: await findTeamEnvironmentRoles(db, project.id, team.id), after: [] }
    await db.delete(teamRoles).where(isRole(team, project))
    return { reply: null, changes: [teamRoleChange({ team, project, before, environments })] }
  },
)

import { eq } from 'drizzle-orm'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { type TeamRow, teams } from '../../platform/engines/postgres/team-schema.ts'
import { dropOwnership } from '../owners/drop-ownership.ts'
import { findEnvironmentRolesOfTeam, findRolesOfTeam, lockTeam } from './queries.ts'
import { refuseManagedTeam, teamChange, teamRoleChange } from './team.ts'

/** Deletes a team with its roles. Accounts stay. */
export const deleteTeam = change(async (context, { key }: { key: string }) => {
  const team = await lockTeam(context.db, key)
  await refuseManagedTeam(context.db, team)
  return { reply: null, changes: await dropTeam(context, team) }
})

/** Flags that it owned keep their other owners. The audit log of every project says which role ended. */
export async function dropTeam({ db }: ChangeContext, team: TeamRow): Promise<EntityChange[]> {
  const roles = await findRolesOfTeam(db, team.id)
  const there = await findEnvironmentRolesOfTeam(db, team.id)
  await db.delete(teams).where(eq(teams.id, team.id))
  const owner = { column: 'ownerTeams', id: team.id, name: `The team ${team.key}` } as const
  const disowned = await dropOwnership({ db }, owner)
  return [
    ...roles.map(({ given, project }) => {
      const environments = { before: there.filter(({ projectId }) => projectId === project.id), after: [] }
      return teamRoleChange({ team, project, before: given, environments })
    }),
    ...disowned,
    teamChange('delete', team),
  ]
}

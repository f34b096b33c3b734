import { type Fault, problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { environmentRoles, teamEnvironmentRoles } from '../../platform/engines/postgres/role-schema.ts'
import { findEnvironments } from '../environments/queries.ts'
import type { EnvironmentRole } from './queries.ts'

type Place = Pick<ChangeContext, 'db'>

interface Wanted {
  project: { id: string }
  wanted: readonly EnvironmentRole[]
}

/** Replaces the roles of a member in single environments. Throws `invalid-request` for unknown or repeated ones. */
export async function storeEnvironmentRoles(
  { db }: Place,
  { project, userId, wanted }: Wanted & { userId: string },
): Promise<EnvironmentRole[]> {
  const rows = await placeRoles(db, { project, wanted })
  const isHeld = and(eq(environmentRoles.projectId, project.id), eq(environmentRoles.userId, userId))
  await db.delete(environmentRoles).where(isHeld)
  if (rows.length > 0) {
    const values = rows.map(({ environmentId, role }) => ({ environmentId, role, userId }))
    await db.insert(environmentRoles).values(values.map((row) => ({ ...row, projectId: project.id })))
  }
  return rows.map(({ env, role }) => ({ env, role }))
}

/** Replaces the roles of a team in single environments. Throws `invalid-request` for unknown or repeated ones. */
export async function storeTeamEnvironmentRoles(
  { db }: Place,
  { project, teamId, wanted }: Wanted & { teamId: string },
): Promise<EnvironmentRole[]> {
  const rows = await placeRoles(db, { project, wanted })
  const { projectId, teamId: team } = teamEnvironmentRoles
  await db.delete(teamEnvironmentRoles).where(and(eq(projectId, project.id), eq(team, teamId)))
  if (rows.length > 0) {
    const values = rows.map(({ environmentId, role }) => ({ environmentId, role, teamId }))
    await db.insert(teamEnvironmentRoles).values(values.map((row) => ({ ...row, projectId: project.id })))
  }
  return rows.map(({ env, role }) => ({ env, role }))
}

/** In the order of the environments. */
async function placeRoles(db: Queryable, { project, wanted }: Wanted) {
  const known = await findEnvironments(db, project.id)
  const faults = wanted.flatMap(({ env }, index): Fault[] => {
    const pointer = `/environments/${index}/env`
    if (!known.some(({ key }) => key === env))
      return [{ pointer, message: `There is no environment "${env}".` }]
    return wanted.findIndex((one) => one.env === env) < index
      ? [{ pointer, message: 'is there already' }]
      : []
  })
  if (faults.length > 0) throw problem('invalid-request', { errors: faults })
  return known.flatMap(({ id, key }) => {
    const role = wanted.find(({ env }) => env === key)?.role
    return role === undefined ? [] : [{ env: key, environmentId: id, role }]
  })
}

import { type Fault, problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import type { ChangeContext } from '../../platform/engines/postgres/change.ts'
import { environmentRoles } from '../../platform/engines/postgres/role-schema.ts'
import { findEnvironments } from '../environments/queries.ts'
import type { EnvironmentRole } from './queries.ts'

interface Wanted {
  project: { id: string }
  userId: string
  wanted: readonly EnvironmentRole[]
}

/** Replaces the roles of a member in single environments. Throws `invalid-request` for unknown or repeated ones. */
export async function storeEnvironmentRoles(
  { db }: Pick<ChangeContext, 'db'>,
  { project, userId, wanted }: Wanted,
): Promise<EnvironmentRole[]> {
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
  await db
    .delete(environmentRoles)
    .where(and(eq(environmentRoles.projectId, project.id), eq(environmentRoles.userId, userId)))
  const rows = known.flatMap(({ id, key }) => {
    const role = wanted.find(({ env }) => env === key)?.role
    return role === undefined ? [] : [{ env: key, environmentId: id, role }]
  })
  if (rows.length > 0) {
    const values = rows.map(({ environmentId, role }) => ({
      ...{ projectId: project.id, userId, environmentId, role },
    }))
    await db.insert(environmentRoles).values(values)
  }
  return rows.map(({ env, role }) => ({ env, role }))
}

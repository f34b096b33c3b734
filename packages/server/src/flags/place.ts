// Where a configuration is: a flag in an environment of a project, and whether the asker may change it there.

import { problem } from '@telltale/core/errors'
import { isAtLeast, type ProjectRole, projectPermissions } from '@telltale/core/permissions'
import type { Queryable } from '../engines/postgres/open.ts'
import { type EnvironmentRow, getEnvironment } from '../environments/queries.ts'
import { lockProject } from '../projects/queries.ts'
import { type FlagRow, getFlag } from './queries.ts'

export interface Place {
  project: { id: string; key: string }
  role: ProjectRole
  env: string
  flag: string
}

/** Throws `not-found`. */
export async function getPlace(
  db: Queryable,
  { project, env, flag }: Omit<Place, 'role'>,
): Promise<{ environment: EnvironmentRow; flag: FlagRow }> {
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  return { environment, flag: await getFlag(db, project.id, flag) }
}

/**
 * The place, to be changed. Changes to the flags of one project come one after the other, because they refer to each
 * other. Throws `not-found`, `forbidden` and, for an archived flag, `flag-not-found`.
 */
export async function lockPlace(db: Queryable, place: Place) {
  await lockProject(db, place.project.id)
  const found = await getPlace(db, place)
  refuseProtected(found.environment, place.role)
  if (found.flag.archivedAt !== null)
    throw problem('flag-not-found', 'The flag is archived: restore it first.')
  return found
}

function refuseProtected(environment: EnvironmentRow, role: ProjectRole): void {
  const permission = 'flags.change-protected'
  if (!environment.protected || isAtLeast(role, projectPermissions[permission].from)) return
  throw problem('forbidden', {
    detail: `The environment "${environment.key}" is protected: this needs ${permission}.`,
    permission,
  })
}

// The place of a configuration: a flag in an environment of a project, and whether the caller may change it
// there.

import { problem } from '@telltale/core/errors'
import { isAtLeast, type ProjectRole, projectPermissions } from '@telltale/core/permissions'
import type { ProjectAccess } from '../../access/access.ts'
import { lockProject } from '../../access/find-project.ts'
import { type EnvironmentRow, getEnvironment } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type FlagRow, getFlag } from './queries.ts'

export interface ConfigRef {
  project: { id: string; key: string }
  role: ProjectRole
  env: string
  flag: string
}

/** Throws `not-found`. */
export async function resolveConfigRef(
  db: Queryable,
  { project, env, flag }: Omit<ConfigRef, 'role'>,
): Promise<{ environment: EnvironmentRow; flag: FlagRow }> {
  const environment = await getEnvironment(db, { projectId: project.id, key: env })
  return { environment, flag: await getFlag(db, project.id, flag) }
}

/**
 * The place, locked for a change. Changes of a project's flags are serialized, because flags refer to each
 * other. Throws `not-found`, `forbidden` and, for an archived flag, `flag-not-found`.
 */
export async function lockConfigRef(db: Queryable, place: ConfigRef) {
  const found = await lockConfigRefToPropose(db, place)
  refuseProtected(found.environment, place.role)
  return found
}

/** The place, locked for callers that may only propose a change. Throws `not-found` and `flag-not-found`. */
export async function lockConfigRefToPropose(db: Queryable, place: Omit<ConfigRef, 'role'>) {
  await lockProject(db, place.project.id)
  const found = await resolveConfigRef(db, place)
  refuseArchived(found.flag)
  return found
}

/** Throws `flag-not-found`. */
export function refuseArchived(flag: FlagRow): void {
  if (flag.archivedAt !== null) throw problem('flag-not-found', 'The flag is archived: restore it first.')
}

/** Throws `forbidden` in a protected environment for roles without the permission. */
export function refuseProtected(environment: EnvironmentRow, role: ProjectRole): void {
  if (!environment.protected || mayChangeProtected(role)) return
  throw problem('forbidden', {
    detail: `The environment "${environment.key}" is protected: this requires flags.change-protected.`,
    permission: 'flags.change-protected',
  })
}

export function mayChangeProtected(role: ProjectRole): boolean {
  return isAtLeast(role, projectPermissions['flags.change-protected'].from)
}

export function configPathOf(
  { row, role }: ProjectAccess,
  { env, flag }: { env: string; flag: string },
): ConfigRef {
  return { project: row, role, env, flag }
}

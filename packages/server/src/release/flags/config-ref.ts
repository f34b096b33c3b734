// The place of a configuration: a flag in an environment of a project, and whether the caller may change it
// there.

import { problem } from '@telltale/core/errors'
import { type Grant, may } from '@telltale/core/rights'
import type { ProjectAccess } from '../../access/access.ts'
import { lockProject } from '../../access/find-project.ts'
import { type EnvironmentRow, getEnvironment } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { type FlagRow, getFlag } from './queries.ts'

export interface ConfigRef {
  project: { id: string; key: string }
  grant: Grant
  env: string
  flag: string
}

/** Throws `not-found`. */
export async function resolveConfigRef(
  db: Queryable,
  { project, env, flag }: Omit<ConfigRef, 'grant'>,
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
  checkMayChange(found.environment, place.grant)
  return found
}

/** The place, locked for callers that may only propose a change. Throws `not-found` and `flag-not-found`. */
export async function lockConfigRefToPropose(db: Queryable, place: Omit<ConfigRef, 'grant'>) {
  await lockProject(db, place.project.id)
  const found = await resolveConfigRef(db, place)
  refuseArchived(found.flag)
  return found
}

/** Throws `flag-not-found`. */
export function refuseArchived(flag: FlagRow): void {
  if (flag.archivedAt !== null) throw problem('flag-not-found', 'The flag is archived: restore it first.')
}

/** Throws `forbidden` for callers who may not change configurations in the environment. */
export function checkMayChange(environment: EnvironmentRow, grant: Grant): void {
  const { key } = environment
  if (!may(grant, 'flags.change', key)) {
    const permission = 'flags.change'
    throw problem('forbidden', {
      detail: `This needs ${permission} in the environment "${key}".`,
      permission,
    })
  }
  if (!environment.protected || mayChangeProtected(environment, grant)) return
  throw problem('forbidden', {
    detail: `The environment "${key}" is protected: this requires flags.change-protected.`,
    permission: 'flags.change-protected',
  })
}

/**
 * For what changes what an environment serves, but cannot be proposed: where changes need approval, it takes the
 * permission that could end the rule. Throws `forbidden`.
 */
export function refuseUnproposed(
  { key, approvalRequired }: Pick<EnvironmentRow, 'key' | 'approvalRequired'>,
  grant: Grant,
  advice = '',
): void {
  const permission = 'environments.manage'
  if (!approvalRequired || may(grant, permission, key)) return
  const detail = `The environment "${key}" requires approval, and this cannot be proposed: it needs ${permission} there.`
  throw problem('forbidden', { detail: `${detail}${advice}`, permission })
}

/** Whether the caller may change an environment while it is protected. */
export function mayChangeProtected({ key }: { key: string }, grant: Grant): boolean {
  return may(grant, 'flags.change-protected', key)
}

/** Whether the caller may change configurations in the environment as it is now. */
export function mayChangeIn(environment: { key: string; protected: boolean }, grant: Grant): boolean {
  return (
    may(grant, 'flags.change', environment.key) &&
    (!environment.protected || mayChangeProtected(environment, grant))
  )
}

export function configPathOf(
  { row, grant }: ProjectAccess,
  { env, flag }: { env: string; flag: string },
): ConfigRef {
  return { project: row, grant, env, flag }
}

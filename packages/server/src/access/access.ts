// Decides whether a caller may make a call, before any of its body is read.

import { problem } from '@telltale/core/errors'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import {
  type CallPermission,
  type Grant,
  isInstallationPermission,
  isProjectPermission,
  lesserRole,
  mayInProject,
  type ProjectRole,
} from '@telltale/core/permissions'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import type { Caller, KnownCaller, Person, TokenCaller } from './caller.ts'
import { findProject, type ProjectRow } from './find-project.ts'
import { findRole } from './find-roles.ts'

/** A project and the caller's role in it. */
export interface ProjectAccess {
  row: ProjectRow
  role: ProjectRole
}

interface AccessedCall {
  permission: CallPermission
  projectKey: string | undefined
  stepUp: boolean
  now: Date
}

/** Throws `unauthenticated`, `second-factor-required`, `confirmation-required`, `forbidden` or `not-found`; returns the project of a call within one. */
export async function checkAccess(
  db: Queryable,
  caller: Caller,
  call: AccessedCall,
): Promise<ProjectAccess | undefined> {
  const { permission } = call
  if (permission === 'anyone') return undefined
  if (caller.kind === 'anonymous') throw problem('unauthenticated')

  if (permission === 'person' && caller.kind !== 'person') {
    throw problem('forbidden', {
      detail: 'Only a signed-in user can do this, not a token.',
      permission,
    })
  }
  checkSecondFactor(caller, call)
  if (isInstallationPermission(permission) && !isOwner(caller)) {
    throw problem('forbidden', { detail: `This requires ${permission}, which only owners have.`, permission })
  }
  if (!isProjectPermission(permission)) return undefined

  return checkProject(db, caller, { permission, projectKey: call.projectKey ?? '' })
}

async function checkProject(
  db: Queryable,
  caller: KnownCaller,
  { permission, projectKey }: { permission: Parameters<typeof mayInProject>[1]; projectKey: string },
): Promise<ProjectAccess> {
  const row = isKey(projectKey) ? await findProject(db, projectKey) : undefined
  const grant: Grant = row ? await grantIn(db, caller, row) : { kind: 'none' }
  if (!row || grant.kind === 'none')
    throw problem('not-found', 'The project does not exist, or you do not have access.')
  if (!mayInProject(grant, permission)) {
    throw problem('forbidden', { detail: `This needs ${permission} in the project.`, permission })
  }

  return { row, role: grant.kind === 'installation' ? 'admin' : grant.role }
}

/** API tokens are not asked for a second factor: they were created by someone who was. */
function checkSecondFactor(caller: KnownCaller, { permission, stepUp, now }: AccessedCall): void {
  if (caller.kind !== 'person') return
  const { user, confirmedAt, secondFactorRequired, provider } = caller
  const isBounded = isProjectPermission(permission) || isInstallationPermission(permission)
  if (isBounded && secondFactorRequired && !user.secondFactor) throw problem('second-factor-required')
  if (!stepUp || !(user.secondFactor || provider?.reauthenticates)) return
  const age = confirmedAt === null ? Number.POSITIVE_INFINITY : now.getTime() - confirmedAt.getTime()
  if (age > limits.confirmationLifetime) throw problem('confirmation-required')
}

/** An account holder, with or without a current session. */
export type Grantee = Pick<Person, 'kind' | 'user'> | TokenCaller

/** The caller's grant in a project. A token never has more rights than its owner has now. */
export async function grantIn(db: Queryable, caller: Grantee, project: { id: string }): Promise<Grant> {
  const own = await ownGrant(db, caller, project)
  if (caller.kind === 'person' || own.kind === 'none') return own

  const { token } = caller
  if (token.projectId !== null && token.projectId !== project.id) return { kind: 'none' }
  if (token.role === 'owner') return own
  return {
    kind: 'project',
    role: own.kind === 'installation' ? token.role : lesserRole(own.role, token.role),
  }
}

async function ownGrant(db: Queryable, caller: Grantee, project: { id: string }): Promise<Grant> {
  if (caller.user.role === 'owner') return { kind: 'installation', role: 'owner' }

  const role = await findRole(db, project.id, caller.user.id)
  return role ? { kind: 'project', role } : { kind: 'none' }
}

/** Whether the caller holds the permissions of the installation's owner. */
export function isOwner(caller: KnownCaller): boolean {
  return caller.user.role === 'owner' && (caller.kind === 'person' || caller.token.role === 'owner')
}

// Decides whether a caller may make a call, before any of its body is read.

import { problem } from '@telltale/core/errors'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import {
  type CallPermission,
  isInstallationPermission,
  isProjectPermission,
  type ProjectPermission,
} from '@telltale/core/permissions'
import { type Grant, limitTo, may, maySomewhere, type Rights, rightsOf } from '@telltale/core/rights'
import type { Queryable } from '../platform/engines/postgres/open.ts'
import type { Caller, KnownCaller, Person, TokenCaller } from './caller.ts'
import { findCallEnvironment, type PathValues } from './find-call-environment.ts'
import { findProject, type ProjectRow } from './find-project.ts'
import { findPermissions, findRights } from './find-rights.ts'

/** A project and what the caller may do in it. */
export interface ProjectAccess {
  row: ProjectRow
  /** The key of the caller's role: shown, never decided by. */
  role: string
  grant: Grant
  /** The environment of the path, if the caller's role depends on it. */
  environment: string | undefined
}

interface AccessedCall {
  permission: CallPermission
  path: PathValues
  /** The body names the environment, so it decides when it has been read. */
  environmentInBody: boolean
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

  return checkProject(db, caller, { ...call, permission })
}

async function checkProject(
  db: Queryable,
  caller: KnownCaller,
  {
    permission,
    path,
    environmentInBody,
  }: Pick<AccessedCall, 'path' | 'environmentInBody'> & { permission: ProjectPermission },
): Promise<ProjectAccess> {
  const projectKey = path.project ?? ''
  const row = isKey(projectKey) ? await findProject(db, projectKey) : undefined
  const access = row && (await findAccess(db, caller, row))
  if (!row || !access) throw problem('not-found', 'The project does not exist, or you do not have access.')
  const { grant } = access
  // Only roles in single environments make a difference.
  const isSame = grant.kind !== 'project' || grant.environments.size === 0
  const environment = isSame ? undefined : await findCallEnvironment(db, row, path)
  const isUndecided = environmentInBody && environment === undefined
  if (!(isUndecided ? maySomewhere(grant, permission) : may(grant, permission, environment)))
    throw lacks(permission, environment)
  return { row, ...access, environment }
}

/** Throws `forbidden` if the caller lacks the permission in the environment that the body names. */
export function checkBodyEnvironment(
  project: ProjectAccess | undefined,
  permission: CallPermission,
  { env }: Record<string, unknown>,
): void {
  if (project === undefined || !isProjectPermission(permission)) return
  const environment = typeof env === 'string' ? env : project.environment
  if (!may(project.grant, permission, environment)) throw lacks(permission, environment)
}

function lacks(permission: ProjectPermission, environment: string | undefined) {
  const where = environment === undefined ? 'the project' : `the environment "${environment}"`
  return problem('forbidden', { detail: `This needs ${permission} in ${where}.`, permission })
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
  return (await findAccess(db, caller, project))?.grant ?? { kind: 'none' }
}

type Access = Pick<ProjectAccess, 'role' | 'grant'>

/** Undefined if the caller does not see the project. */
export async function findAccess(
  db: Queryable,
  caller: Grantee,
  project: { id: string },
): Promise<Access | undefined> {
  if (caller.kind === 'token' && (caller.token.projectId ?? project.id) !== project.id) return undefined
  const isOwner = caller.user.role === 'owner'
  const owner = { userId: caller.user.id, projectId: project.id }
  const member = isOwner ? undefined : (await findRights(db, owner)).get(project.id)
  if (!isOwner && member === undefined) return undefined
  const own: Access = member
    ? { role: member.role, grant: { kind: 'project', ...member } }
    : { role: 'admin', grant: { kind: 'installation', role: 'owner' } }
  return caller.kind === 'person' ? own : accessOfToken(own, await limitOf(db, caller, project))
}

/** The most that a token may do, independent of its owner; undefined if only the owner limits it. */
export interface TokenLimit {
  role: string
  rights: Rights
}

export async function limitOf(
  db: Queryable,
  { token }: TokenCaller,
  project: { id: string },
): Promise<TokenLimit | undefined> {
  if (token.role === 'owner') return undefined
  const permissions = await findPermissions(db, { projectId: project.id, role: token.role })
  return { role: token.role, rights: rightsOf(permissions) }
}

/** The access of the owner, within the limit of the token. */
export function accessOfToken(own: Access, limit: TokenLimit | undefined): Access {
  if (limit === undefined) return own
  if (own.grant.kind !== 'project') return { role: limit.role, grant: { kind: 'project', ...limit.rights } }
  const { permissions } = limit.rights
  const { permissions: held } = own.grant
  const isWithin = [...permissions].every((permission) => held.has(permission))
  return {
    role: isWithin ? limit.role : own.role,
    grant: { kind: 'project', ...limitTo(own.grant, permissions) },
  }
}

/** Whether the caller holds the permissions of the installation's owner. */
export function isOwner(caller: KnownCaller): boolean {
  return caller.user.role === 'owner' && (caller.kind === 'person' || caller.token.role === 'owner')
}

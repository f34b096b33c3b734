import { lesserRole, type ProjectRole } from '@telltale/core/permissions'
import type { KnownCaller } from '../../access/caller.ts'
import type { ProjectRow } from '../../access/find-project.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findProjects } from './queries.ts'

interface VisibleProject {
  project: ProjectRow
  role: ProjectRole
}

/** The projects visible to a caller, by key, each with the caller's current role. */
export async function listVisibleProjects(
  db: Queryable,
  caller: KnownCaller,
  page: { after?: string | undefined; count?: number } = {},
): Promise<VisibleProject[]> {
  const isOwner = caller.user.role === 'owner'
  const limitedTo = caller.kind === 'token' ? (caller.token.projectId ?? undefined) : undefined
  const rows = await findProjects(db, {
    ...page,
    memberId: isOwner ? undefined : caller.user.id,
    onlyId: limitedTo,
  })

  return rows.map(({ project, role }) => ({
    project,
    role: limitRole(caller, isOwner ? 'admin' : (role ?? 'viewer')),
  }))
}

function limitRole(caller: KnownCaller, role: ProjectRole): ProjectRole {
  if (caller.kind === 'person' || caller.token.role === 'owner') return role
  return lesserRole(role, caller.token.role)
}

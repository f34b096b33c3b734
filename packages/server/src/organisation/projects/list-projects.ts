import { accessOfToken, limitOf, type ProjectAccess } from '../../access/access.ts'
import type { KnownCaller } from '../../access/caller.ts'
import type { ProjectRow } from '../../access/find-project.ts'
import { findRights, type MemberRights } from '../../access/find-rights.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findProjects } from './queries.ts'

interface VisibleProject extends Pick<ProjectAccess, 'role' | 'grant'> {
  project: ProjectRow
}

/** The projects visible to a caller, by key, each with what the caller may do in it now. */
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
  const rights = isOwner ? new Map<string, MemberRights>() : await findRights(db, { userId: caller.user.id })
  const visible: VisibleProject[] = []
  for (const project of rows) {
    const member = rights.get(project.id)
    const own: Pick<ProjectAccess, 'role' | 'grant'> | undefined = isOwner
      ? { role: 'admin', grant: { kind: 'installation', role: 'owner' } }
      : member && { role: member.role, grant: { kind: 'project', ...member } }
    // Left between the two reads.
    if (own === undefined) continue
    const access = caller.kind === 'person' ? own : accessOfToken(own, await limitOf(db, caller, project))
    visible.push({ project, ...access })
  }
  return visible
}

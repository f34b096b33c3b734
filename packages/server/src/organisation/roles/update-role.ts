import { isSame } from '@telltale/core/changes/same'
import type { BodyOf } from '@telltale/core/contract/call'
import type { updateRole as updateRoleCall } from '@telltale/core/contract/roles'
import { problem } from '@telltale/core/errors'
import { type Grant, permissionsOf, rightsOf } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { projectRoles } from '../../platform/engines/postgres/role-schema.ts'
import { countUses, lockOwnRole, sumOf } from './queries.ts'
import { refuseExcess } from './refuse-excess.ts'
import { roleChange, toRole } from './role.ts'

interface RoleUpdate {
  project: { id: string; key: string }
  key: string
  author: Grant
  draft: BodyOf<typeof updateRoleCall>
  ifMatch: number | undefined
}

/** Everyone who has the role has its new permissions with their next request. */
export const updateRole = change(async ({ db }, { project, key, author, draft, ifMatch }: RoleUpdate) => {
  const before = await lockOwnRole(db, project.id, key)
  const uses = sumOf(await countUses(db, project.id, key))
  if (ifMatch !== undefined && ifMatch !== before.version)
    throw problem('version-conflict', { current: toRole(before, uses) })
  const permissions = permissionsOf(key, [{ key, permissions: draft.permissions ?? before.permissions }])
  const held = permissionsOf(key, [before])
  refuseExcess(author, { before: rightsOf(held), after: rightsOf(permissions) })
  const after = {
    ...before,
    name: draft.name ?? before.name,
    description: draft.description ?? before.description,
    permissions: [...permissions],
    version: before.version + 1,
  }
  const isUnchanged = isSame(toRole({ ...after, version: before.version }, uses), toRole(before, uses))
  if (isUnchanged) return { reply: toRole(before, uses), changes: [] }
  await db.update(projectRoles).set(after).where(eq(projectRoles.id, before.id))
  return { reply: toRole(after, uses), changes: roleChange('update', { project, before, after }) }
})

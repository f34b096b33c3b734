import type { BodyOf } from '@telltale/core/contract/call'
import type { createRole as createRoleCall } from '@telltale/core/contract/roles'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { isBuiltInRole } from '@telltale/core/permissions'
import { type Grant, permissionsOf, rightsOf } from '@telltale/core/rights'
import { v7 as newId } from 'uuid'
import { lockProject } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { projectRoles } from '../../platform/engines/postgres/role-schema.ts'
import { findOwnRoles, type RoleRow } from './queries.ts'
import { refuseExcess } from './refuse-excess.ts'
import { roleChange, toRole } from './role.ts'

interface RoleCreation {
  project: { id: string; key: string }
  author: Grant
  draft: BodyOf<typeof createRoleCall>
}

/** Throws `already-exists`, `in-use`, and `forbidden` for permissions that the author does not have. */
export const createRole = change(async ({ db, now }, { project, author, draft }: RoleCreation) => {
  await lockProject(db, project.id)
  const { key, name, description = '' } = draft
  const permissions = [...permissionsOf(key, [draft])]
  const existing = await findOwnRoles(db, project.id)
  // `owner` is a role of tokens.
  if (isBuiltInRole(key) || key === 'owner' || existing.some((one) => one.key === key))
    throw problem('already-exists', `The role "${key}" already exists.`)
  if (existing.length >= limits.rolesPerProject)
    throw problem('in-use', `A project has at most ${limits.rolesPerProject} own roles: delete one first.`)
  refuseExcess(author, { before: undefined, after: rightsOf(new Set(permissions)) })
  const row: RoleRow = {
    ...{ id: newId(), projectId: project.id, key, name, description, permissions },
    ...{ version: 1, createdAt: now },
  }
  await db.insert(projectRoles).values(row)
  return { reply: toRole(row, 0), changes: roleChange('create', { project, after: row }) }
})

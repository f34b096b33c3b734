import type { Role } from '@telltale/core/contract/roles'
import { type ProjectRole, projectRoles } from '@telltale/core/permissions'
import { allPermissions, permissionsOf } from '@telltale/core/rights'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { countAllUses, findOwnRoles, type RoleRow } from './queries.ts'

const builtIn: Readonly<Record<ProjectRole, { name: string; description: string }>> = {
  viewer: { name: 'Viewer', description: 'Views everything except secrets and sensitive traits.' },
  editor: { name: 'Editor', description: 'Also changes flags in unprotected environments, and segments.' },
  maintainer: {
    name: 'Maintainer',
    description: 'Also changes flags in protected environments, approves changes and reads the audit log.',
  },
  admin: { name: 'Admin', description: 'Also manages environments, keys, members and privacy.' },
}

/** The roles of a project as the API returns them: built-in ones first. */
export async function listRoles(db: Queryable, projectId: string): Promise<Role[]> {
  const own = await findOwnRoles(db, projectId)
  const uses = await countAllUses(db, projectId)
  return [
    ...projectRoles.map((key) => ({
      key,
      ...builtIn[key],
      permissions: [...permissionsOf(key)],
      builtIn: true,
      uses: uses.get(key) ?? 0,
      version: null,
    })),
    ...own.map((row) => toRole(row, uses.get(row.key) ?? 0)),
  ]
}

/** An own role as the API returns it. */
export function toRole(row: RoleRow, uses: number): Role {
  const { key, name, description, version } = row
  const permissions = permissionsOf(key, [row])
  return {
    ...{ key, name, description, version },
    // In the order of the table, so that the same set is the same list.
    permissions: allPermissions.filter((permission) => permissions.has(permission)),
    builtIn: false,
    uses,
  }
}

interface RoleStep {
  project: { id: string; key: string }
  before?: RoleRow
  after?: RoleRow
  reason?: string
}

/** The audit entry of a change. */
export function roleChange(
  verb: 'create' | 'update' | 'delete',
  { project, before, after, reason }: RoleStep,
): EntityChange[] {
  const row = after ?? before
  if (row === undefined) return []
  return [
    {
      action: `role.${verb}`,
      entity: { kind: 'role', id: row.id, name: row.key },
      project,
      ...(before && { before: audited(before) }),
      ...(after && { after: audited(after) }),
      ...(reason !== undefined && { reason }),
    },
  ]
}

function audited(row: RoleRow): object {
  const { key, name, description, permissions } = toRole(row, 0)
  return { key, name, description, permissions }
}

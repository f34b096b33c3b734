import type { Role } from '@telltale/core/contract/roles'
import { type ProjectRole, projectRoles } from '@telltale/core/permissions'
import { allPermissions, permissionsOf } from '@telltale/core/rights'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { countUses, findOwnRoles, type RoleRow, type RoleUses } from './queries.ts'

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
  const [ofBuiltIn, ofOwn] = await Promise.all([
    Promise.all(projectRoles.map((key) => countUses(db, projectId, key))),
    Promise.all(own.map(({ key }) => countUses(db, projectId, key))),
  ])
  return [
    ...projectRoles.map((key, index) => ({
      key,
      ...builtIn[key],
      permissions: [...permissionsOf(key)],
      builtIn: true,
      uses: sumOf(ofBuiltIn[index]),
      version: null,
    })),
    ...own.map((row, index) => toRole(row, ofOwn[index])),
  ]
}

/** An own role as the API returns it. */
export function toRole(row: RoleRow, uses: RoleUses | undefined): Role {
  const { key, name, description, version } = row
  const permissions = permissionsOf(key, [row])
  return {
    ...{ key, name, description, version },
    // In the order of the table, so that the same set is the same list.
    permissions: allPermissions.filter((permission) => permissions.has(permission)),
    builtIn: false,
    uses: sumOf(uses),
  }
}

const sumOf = (uses: RoleUses | undefined) =>
  uses === undefined ? 0 : uses.members + uses.teams + uses.invitations + uses.tokens

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
  const { key, name, description, permissions } = toRole(row, undefined)
  return { key, name, description, permissions }
}

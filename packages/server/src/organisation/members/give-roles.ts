import type { PermissionSet, Rights } from '@telltale/core/rights'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { takeRole } from '../roles/queries.ts'
import type { EnvironmentRole } from './queries.ts'

export interface GivenRoles {
  role: string
  environments: readonly EnvironmentRole[]
}

/** The rights that roles give. Own roles are kept from being deleted meanwhile. Throws `invalid-request`. */
export async function rightsOfRoles(
  { db, projectId }: { db: Queryable; projectId: string },
  { role, environments }: GivenRoles,
): Promise<Rights> {
  const permissions = await takeRole(db, { projectId, key: role }, '/role')
  const there = new Map<string, PermissionSet>()
  for (const [index, { env, role: key }] of environments.entries())
    there.set(env, await takeRole(db, { projectId, key }, `/environments/${index}/role`))
  return { permissions, environments: there }
}

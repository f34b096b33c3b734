import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/roles'
import { request } from './client.ts'

export type Role = contract.Role
export type RoleDraft = BodyOf<typeof contract.createRole>
type RoleChange = BodyOf<typeof contract.updateRole>

/** The built-in roles in ascending order, then own ones by key. */
export const rolesQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'roles'],
    queryFn: async ({ signal }) =>
      (await request(calls.roles.listRoles, { params: { project }, signal })).items,
    staleTime: 60_000,
  })

export function createRole(requested: { project: string; draft: RoleDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.roles.createRole, { params: { project }, body: draft, idempotencyKey })
}

export function updateRole(requested: {
  project: string
  role: string
  change: RoleChange
  ifMatch: number | undefined
}) {
  const { change, ifMatch, ...params } = requested
  return request(calls.roles.updateRole, { params, body: change, ifMatch })
}

export function deleteRole({ moveTo, ...params }: { project: string; role: string; moveTo?: string }) {
  return request(calls.roles.deleteRole, { params, query: { moveTo } })
}

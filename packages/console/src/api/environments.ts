import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/environments'
import { endpoint, request } from './client.ts'

export type Environment = ReplyOf<typeof contract.getEnvironment>
export type EnvironmentDraft = BodyOf<typeof contract.createEnvironment>
export type EnvironmentChange = BodyOf<typeof contract.updateEnvironment>

const listEnvironments = endpoint<typeof contract.listEnvironments>(
  'GET',
  '/api/v1/projects/:project/environments',
)
const createEnvironmentCall = endpoint<typeof contract.createEnvironment>(
  'POST',
  '/api/v1/projects/:project/environments',
)
const updateEnvironmentCall = endpoint<typeof contract.updateEnvironment>(
  'PATCH',
  '/api/v1/projects/:project/environments/:env',
)
const deleteEnvironmentCall = endpoint<typeof contract.deleteEnvironment>(
  'DELETE',
  '/api/v1/projects/:project/environments/:env',
)

/** Every environment of a project, in the project's order. */
export const environmentsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments'],
    queryFn: ({ signal }) => request(listEnvironments, { params: { project }, signal }),
    staleTime: 60_000,
  })

export function createEnvironment(asked: {
  project: string
  draft: EnvironmentDraft
  idempotencyKey: string
}) {
  const { project, draft, idempotencyKey } = asked
  return request(createEnvironmentCall, { params: { project }, body: draft, idempotencyKey })
}

export function updateEnvironment(asked: {
  project: string
  env: string
  change: EnvironmentChange
  ifMatch?: number
}) {
  const { project, env, change, ifMatch } = asked
  return request(updateEnvironmentCall, { params: { project, env }, body: change, ifMatch })
}

export function deleteEnvironment({ project, env }: { project: string; env: string }) {
  return request(deleteEnvironmentCall, { params: { project, env }, query: { confirm: env } })
}

import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/environments'
import { request } from './client.ts'

export type Environment = ReplyOf<typeof contract.getEnvironment>
export type EnvironmentDraft = BodyOf<typeof contract.createEnvironment>
export type EnvironmentChange = BodyOf<typeof contract.updateEnvironment>

/** Every environment of a project, in the project's order. */
export const environmentsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments'],
    queryFn: ({ signal }) => request(calls.environments.listEnvironments, { params: { project }, signal }),
    staleTime: 60_000,
  })

/** The one in the URL, or the first of the project. */
export const chosenEnvironment = (items: readonly Environment[], env: string | undefined) =>
  items.find(({ key }) => key === env) ?? items[0]

export function createEnvironment(requested: {
  project: string
  draft: EnvironmentDraft
  idempotencyKey: string
}) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.environments.createEnvironment, { params: { project }, body: draft, idempotencyKey })
}

export function updateEnvironment(requested: {
  project: string
  env: string
  change: EnvironmentChange
  ifMatch?: number
}) {
  const { project, env, change, ifMatch } = requested
  return request(calls.environments.updateEnvironment, { params: { project, env }, body: change, ifMatch })
}

export function deleteEnvironment({ project, env }: { project: string; env: string }) {
  return request(calls.environments.deleteEnvironment, { params: { project, env }, query: { confirm: env } })
}

import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/environments'
import { endpoint, request } from './client.ts'

export type Environment = ReplyOf<typeof contract.getEnvironment>

const listEnvironments = endpoint<typeof contract.listEnvironments>(
  'GET',
  '/api/v1/projects/:project/environments',
)

/** Every environment of a project, in the project's order. */
export const environmentsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments'],
    queryFn: ({ signal }) => request(listEnvironments, { params: { project }, signal }),
    staleTime: 60_000,
  })

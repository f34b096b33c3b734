import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/keys'
import { endpoint, request } from './client.ts'

export type SdkKey = ReplyOf<typeof contract.listKeys>['items'][number]

const listKeys = endpoint<typeof contract.listKeys>('GET', '/api/v1/projects/:project/environments/:env/keys')

/** The keys of an environment, newest first, revoked ones included. */
export const keysQuery = (project: string, env: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'keys'],
    queryFn: ({ signal }) => request(listKeys, { params: { project, env }, signal }),
  })

import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/flags'
import { endpoint, request } from './client.ts'

export type FlagRow = ReplyOf<typeof contract.listFlags>['items'][number]
export type FlagDraft = BodyOf<typeof contract.createFlag>
export type FlagChange = BodyOf<typeof contract.updateFlag>

export interface FlagFilter {
  search: string | undefined
  lifecycle: FlagRow['lifecycle']['state'] | undefined
}

const flagPath = '/api/v1/projects/:project/flags/:flag'
const listCall = endpoint<typeof contract.listFlags>('GET', '/api/v1/projects/:project/flags')
const createCall = endpoint<typeof contract.createFlag>('POST', '/api/v1/projects/:project/flags')
const updateCall = endpoint<typeof contract.updateFlag>('PATCH', flagPath)
const archiveCall = endpoint<typeof contract.archiveFlag>('POST', `${flagPath}/archive`)
const restoreCall = endpoint<typeof contract.restoreFlag>('POST', `${flagPath}/restore`)
const deleteCall = endpoint<typeof contract.deleteFlag>('DELETE', flagPath)

/** Everything that is known of the flags of a project begins like this. */
export const flagsKey = (project: string) => ['projects', project, 'flags']

const pageSize = 100

/** The flags of a project by key, page by page. */
export const flagsQuery = (project: string, { search, lifecycle }: FlagFilter) =>
  infiniteQueryOptions({
    queryKey: [...flagsKey(project), 'list', search, lifecycle],
    queryFn: ({ pageParam, signal }) =>
      request(listCall, {
        params: { project },
        query: {
          search,
          ...(lifecycle === 'archived' ? { archived: true } : { lifecycle }),
          limit: pageSize,
          cursor: pageParam,
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export function createFlag(asked: { project: string; draft: FlagDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = asked
  return request(createCall, { params: { project }, body: draft, idempotencyKey })
}

interface FlagPlace {
  project: string
  flag: string
}

export function updateFlag(asked: FlagPlace & { change: FlagChange; version: number }) {
  const { change, version, ...params } = asked
  return request(updateCall, { params, body: change, ifMatch: version })
}

export function archiveFlag(params: FlagPlace) {
  return request(archiveCall, { params })
}

export function restoreFlag(params: FlagPlace) {
  return request(restoreCall, { params })
}

/** `confirm`, the key typed out, deletes also what is still evaluated. */
export function deleteFlag({ confirm, ...params }: FlagPlace & { confirm: string }) {
  return request(deleteCall, { params, query: { confirm } })
}

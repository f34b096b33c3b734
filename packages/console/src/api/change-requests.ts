import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/change-requests'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { request } from './client.ts'
import type { ConfigRef } from './flag-configs.ts'
import { configKey, ending } from './flag-configs.ts'

export type ChangeRequest = ReplyOf<typeof contract.listChangeRequests>['items'][number]
export type DescribedChangeRequest = ReplyOf<typeof contract.getChangeRequest>

const waitingStates = ['open', 'approved', 'conflicted'] as const

/** Pending changes of one configuration. */
export const waitingRequestsQuery = (place: ConfigRef) =>
  queryOptions({
    queryKey: [...configKey(place), 'change-requests'],
    queryFn: async ({ signal }) => {
      const { project, env, flag } = place
      const pages = await Promise.all(
        waitingStates.map((state) =>
          request(calls['change-requests'].listChangeRequests, {
            params: { project },
            query: { env, flag, state },
            signal,
          }),
        ),
      )
      return pages.flatMap(({ items }) => items)
    },
  })

export const changeRequestQuery = (params: { project: string; changeRequest: string }) =>
  queryOptions({
    queryKey: ['projects', params.project, 'change-requests', params.changeRequest],
    queryFn: ({ signal }) => request(calls['change-requests'].getChangeRequest, { params, signal }),
  })

export interface ChangeRequestFilter {
  readonly state?: ChangeRequest['state'] | undefined
  readonly env?: string | undefined
  readonly flag?: string | undefined
  readonly author?: string | undefined
}

/** Change requests of a project, newest first. */
export const changeRequestsQuery = (project: string, filter: ChangeRequestFilter) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'change-requests', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      request(calls['change-requests'].listChangeRequests, {
        params: { project },
        query: { ...filter, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

export type Decision = 'approve' | 'decline' | 'withdraw' | 'apply' | 'rebase'

/** Grouped by permission: members other than the author approve and decline, the author withdraws. */
export function decideChangeRequest(requested: {
  project: string
  request: ChangeRequest
  decision: Decision
  comment?: string | undefined
  /** With `rebase`, when both sides changed the same part: the merged result. */
  config?: FlagConfigDraft | undefined
  /** With `apply`: rollouts whose evidence may end with it. */
  endsEvidenceOf?: readonly string[]
}): Promise<DescribedChangeRequest> {
  const { id, version } = requested.request
  const body = requested.comment ? { comment: requested.comment } : {}
  const at = { params: { project: requested.project, changeRequest: id }, ifMatch: version }
  switch (requested.decision) {
    case 'approve':
      return request(calls['change-requests'].approveChangeRequest, { ...at, body: { version, ...body } })
    case 'decline':
      return request(calls['change-requests'].declineChangeRequest, { ...at, body })
    case 'withdraw':
      return request(calls['change-requests'].withdrawChangeRequest, { ...at, body })
    case 'apply':
      return request(calls['change-requests'].applyChangeRequest, {
        ...at,
        body: { ...body, ...ending(requested.endsEvidenceOf) },
      })
    case 'rebase':
      return request(calls['change-requests'].rebaseChangeRequest, {
        ...at,
        body: { ...body, ...(requested.config && { config: requested.config }) },
      })
  }
}

export interface ChangedProposal {
  readonly config?: FlagConfigDraft
  readonly reason?: string | null
  readonly reviewers?: string[]
  readonly scheduledFor?: string | null
}

/** Edits the author's own request, which then needs a new approval. Omitted fields keep their value. */
export function updateChangeRequest(requested: {
  project: string
  request: ChangeRequest
  change: ChangedProposal
}): Promise<DescribedChangeRequest> {
  const { id, version } = requested.request
  return request(calls['change-requests'].updateChangeRequest, {
    params: { project: requested.project, changeRequest: id },
    body: requested.change,
    ifMatch: version,
  })
}

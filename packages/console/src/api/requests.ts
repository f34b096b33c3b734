import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/requests'
import type { TimeStep } from '@telltale/core/query/time-buckets'
import { request } from './client.ts'
import {
  exactQueryOf,
  type PeriodRequest,
  periodRequestOf,
  type Question,
  questionQuery,
} from './question.ts'

export type RequestRow = ReplyOf<typeof contract.listRequests>['items'][number]
export type MeasuredRequest = ReplyOf<typeof contract.getRequest>
export type RequestSlice = ReplyOf<typeof contract.listRequestBreakdown>['groups'][number]
export type RequestSpans = ReplyOf<typeof contract.listRequestSpans>
type RequestOrder = (typeof contract.requestOrders)[number]
type RequestParty = (typeof contract.requestParties)[number]

/** Identifies one kind of request. */
export interface RequestGroup {
  readonly method: string
  readonly host: string
  /** The path template. */
  readonly endpoint: string
}

const pageSize = 100

export interface RequestList {
  sort: RequestOrder
  search: string | undefined
  party: RequestParty | undefined
}

/** Every page uses the period of the first request, so no row moves between pages. */
export const requestsQuery = (question: Question, list: RequestList) => {
  const { project, env, range, filter, again, isExact } = question
  type Next = { cursor: string; period: PeriodRequest['query'] } | undefined
  return infiniteQueryOptions({
    queryKey: [
      'projects',
      project,
      'environments',
      env,
      'telemetry',
      'requests',
      list,
      range,
      filter,
      isExact,
    ],
    queryFn: async ({ pageParam, signal }) => {
      const requested = periodRequestOf(question, signal)
      const period = pageParam?.period ?? requested.query
      const query = {
        ...list,
        ...period,
        ...exactQueryOf(question),
        limit: pageSize,
        cursor: pageParam?.cursor,
      }
      return { ...(await request(calls.requests.listRequests, { ...requested, query })), period }
    },
    initialPageParam: undefined as Next,
    getNextPageParam: ({ next, period }): Next => (next === null ? undefined : { cursor: next, period }),
    placeholderData: keepPreviousData,
    // Do not return a user who has loaded more pages to the first one.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : again),
  })
}

/** Without a step, the server chooses one that gives about a hundred points. */
export const requestQuery = (question: Question, group: RequestGroup, step?: TimeStep) =>
  questionQuery(question, ['request', group, step], ({ query, ...requested }) =>
    request(calls.requests.getRequest, {
      ...requested,
      query: { ...query, ...exactQueryOf(question), ...group, step },
    }),
  )

export const requestBreakdownQuery = (question: Question, group: RequestGroup, by: string) =>
  questionQuery(question, ['request-breakdown', group, by], ({ query, ...requested }) =>
    request(calls.requests.listRequestBreakdown, {
      ...requested,
      query: { ...query, ...exactQueryOf(question), ...group, by },
    }),
  )

/** Where the time of the requests goes, by the spans of their traces. */
export const requestSpansQuery = (question: Question, group: RequestGroup) =>
  questionQuery(question, ['request-spans', group], ({ query, ...requested }) =>
    request(calls.requests.listRequestSpans, { ...requested, query: { ...query, ...group } }),
  )

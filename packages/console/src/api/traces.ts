import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/traces'
import { request } from './client.ts'
import { type PeriodRequest, periodRequestOf, type Question } from './question.ts'

export type TraceRow = ReplyOf<typeof contract.listTraces>['items'][number]
export type Trace = ReplyOf<typeof contract.getTrace>
export type WholeSpan = ReplyOf<typeof contract.getSpan>

const pageSize = 50

/** Every page uses the period of the first request, so no row moves between pages. */
export const tracesQuery = (question: Question) => {
  const { project, env, range, filter, again } = question
  type Next = { cursor: string; period: PeriodRequest['query'] } | undefined
  return infiniteQueryOptions({
    queryKey: ['projects', project, 'environments', env, 'telemetry', 'traces', range, filter],
    queryFn: async ({ pageParam, signal }) => {
      const requested = periodRequestOf(question, signal)
      const period = pageParam?.period ?? requested.query
      const query = { ...period, limit: pageSize, cursor: pageParam?.cursor }
      return { ...(await request(calls.traces.listTraces, { ...requested, query })), period }
    },
    initialPageParam: undefined as Next,
    getNextPageParam: ({ next, period }): Next => (next === null ? undefined : { cursor: next, period }),
    placeholderData: keepPreviousData,
    // Do not return a user who has loaded more pages to the first one.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : again),
  })
}

interface Place {
  project: string
  env: string
}

export const traceQuery = ({ project, env }: Place, trace: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'telemetry', 'trace', trace],
    queryFn: ({ signal }) => request(calls.traces.getTrace, { params: { project, env, trace }, signal }),
  })

export const spanQuery = ({ project, env }: Place, { trace, span }: { trace: string; span: string }) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'telemetry', 'trace', trace, span],
    queryFn: ({ signal }) => request(calls.traces.getSpan, { params: { project, env, trace, span }, signal }),
  })

import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/logs'
import { request } from './client.ts'
import { type PeriodRequest, periodRequestOf, type Question, questionQuery } from './question.ts'

export type LogRecord = ReplyOf<typeof contract.listLogs>['items'][number]

const pageSize = 100

/** Every page uses the period of the first request, so no row moves between pages. */
export const logsQuery = (question: Question) => {
  const { project, env, range, filter, again } = question
  type Next = { cursor: string; period: PeriodRequest['query'] } | undefined
  return infiniteQueryOptions({
    queryKey: ['projects', project, 'environments', env, 'telemetry', 'logs', range, filter],
    queryFn: async ({ pageParam, signal }) => {
      const requested = periodRequestOf(question, signal)
      const period = pageParam?.period ?? requested.query
      const query = { ...period, limit: pageSize, cursor: pageParam?.cursor }
      return { ...(await request(calls.logs.listLogs, { ...requested, query })), period }
    },
    initialPageParam: undefined as Next,
    getNextPageParam: ({ next, period }): Next => (next === null ? undefined : { cursor: next, period }),
    placeholderData: keepPreviousData,
    // Do not return a user who has loaded more pages to the first one.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : again),
  })
}

export const logLevelsQuery = (question: Question) =>
  questionQuery(question, ['log-levels'], (requested) => request(calls.logs.listLogLevels, requested))

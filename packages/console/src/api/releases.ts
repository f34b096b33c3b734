import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/releases'
import { request } from './client.ts'
import { type PeriodRequest, periodRequestOf, type Question, questionQuery } from './question.ts'

export type Release = ReplyOf<typeof contract.listReleases>['items'][number]
export type ShownRelease = ReplyOf<typeof contract.getRelease>
export type ReleaseComparison = ReplyOf<typeof contract.compareReleases>
export type Adoption = ReplyOf<typeof contract.getAdoption>

export interface ReleaseList {
  sort: (typeof contract.releaseOrders)[number] | undefined
  search: string | undefined
}

const pageSize = 100

/** Every page uses the period of the first request, so no row moves between pages. */
export const releasesQuery = (question: Question, list: ReleaseList) => {
  const { project, env, range, filter, again } = question
  type Next = { cursor: string; period: PeriodRequest['query'] } | undefined
  return infiniteQueryOptions({
    queryKey: ['projects', project, 'environments', env, 'telemetry', 'releases', list, range, filter],
    queryFn: async ({ pageParam, signal }) => {
      const requested = periodRequestOf(question, signal)
      const period = pageParam?.period ?? requested.query
      const query = { ...list, ...period, limit: pageSize, cursor: pageParam?.cursor }
      return { ...(await request(calls.releases.listReleases, { ...requested, query })), period }
    },
    initialPageParam: undefined as Next,
    getNextPageParam: ({ next, period }): Next => (next === null ? undefined : { cursor: next, period }),
    placeholderData: keepPreviousData,
    // Do not return a user who has loaded more pages to the first one.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : again),
  })
}

export const adoptionQuery = (question: Question) =>
  questionQuery(question, ['adoption'], (requested) => request(calls.releases.getAdoption, requested))

export const releaseQuery = (question: Question, version: string) =>
  questionQuery(question, ['release', version], ({ query, ...requested }) =>
    request(calls.releases.getRelease, { ...requested, query: { ...query, version } }),
  )

export const comparisonQuery = (question: Question, { version, base }: { version: string; base: string }) =>
  questionQuery(question, ['release-comparison', version, base], ({ query, ...requested }) =>
    request(calls.releases.compareReleases, { ...requested, query: { ...query, version, base } }),
  )

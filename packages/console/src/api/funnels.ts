import { infiniteQueryOptions } from '@tanstack/react-query'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/funnels'
import { request } from './client.ts'
import { periodRequestOf, type Question, questionQuery } from './question.ts'

export type Funnel = ReplyOf<typeof contract.measureFunnel>
export type FunnelStep = Funnel['steps'][number]
export type FunnelGroup = Funnel['groups'][number]
export type Retention = ReplyOf<typeof contract.measureRetention>
export type Paths = ReplyOf<typeof contract.measurePaths>

type Scope = 'from' | 'to' | 'filter'
type List = Scope | 'cursor' | 'limit'
export type FunnelQuery = Omit<QueryOf<typeof contract.measureFunnel>, Scope>
export type RetentionQuery = Omit<QueryOf<typeof contract.measureRetention>, Scope>
export type PathsQuery = Omit<QueryOf<typeof contract.measurePaths>, Scope>
/** The sessions behind one number of a funnel or of paths. */
export type FoundSessions =
  | { of: 'funnel'; asked: Omit<QueryOf<typeof contract.listFunnelSessions>, List> }
  | { of: 'paths'; asked: Omit<QueryOf<typeof contract.listPathSessions>, List> }

export const funnelQuery = (question: Question, asked: FunnelQuery) =>
  questionQuery(question, ['funnel', asked], ({ query, ...place }) =>
    request(calls.funnels.measureFunnel, { ...place, query: { ...query, ...asked } }),
  )

export const retentionQuery = (question: Question, asked: RetentionQuery) =>
  questionQuery(question, ['retention', asked], ({ query, ...place }) =>
    request(calls.funnels.measureRetention, { ...place, query: { ...query, ...asked } }),
  )

export const pathsQuery = (question: Question, asked: PathsQuery) =>
  questionQuery(question, ['paths', asked], ({ query, ...place }) =>
    request(calls.funnels.measurePaths, { ...place, query: { ...query, ...asked } }),
  )

/** All pages use the period of the first one. */
export const foundSessionsQuery = (question: Question, found: FoundSessions) =>
  infiniteQueryOptions({
    queryKey: [
      ...['projects', question.project, 'environments', question.env, 'telemetry'],
      ...['found-sessions', found, question.range, question.filter],
    ],
    queryFn: async ({ pageParam, signal }) => {
      const { query, ...place } = periodRequestOf(question, signal)
      const period = pageParam?.period ?? { from: query.from, to: query.to }
      const scope = { ...query, ...period, cursor: pageParam?.cursor }
      const page =
        found.of === 'funnel'
          ? await request(calls.funnels.listFunnelSessions, { ...place, query: { ...scope, ...found.asked } })
          : await request(calls.funnels.listPathSessions, { ...place, query: { ...scope, ...found.asked } })
      return { ...page, period }
    },
    initialPageParam: undefined as { cursor: string; period: { from: string; to: string } } | undefined,
    getNextPageParam: ({ next, period }) => (next === null ? undefined : { cursor: next, period }),
    staleTime: Number.POSITIVE_INFINITY,
  })

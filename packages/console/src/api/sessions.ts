import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/sessions'
import { limits } from '@telltale/core/limits'
import { request } from './client.ts'
import type { EnvironmentRef } from './identities.ts'
import { periodRequestOf, type Question, questionQuery } from './question.ts'

export type SessionRow = ReplyOf<typeof contract.listSessions>['items'][number]
export type SessionWithAttributions = ReplyOf<typeof contract.getSession>
export type Session = Omit<SessionWithAttributions, 'attributions'>
export type TimelineEvent = ReplyOf<typeof contract.listSessionEvents>['items'][number]
export type SimilarSession = NonNullable<ReplyOf<typeof contract.getSimilarSession>['similar']>
export type SessionFacet = ReplyOf<typeof contract.listSessionFacets>['facets'][number]
export type SessionVariation = ReplyOf<typeof contract.listSessionVariations>['variations'][number]
export type SessionSort = NonNullable<QueryOf<typeof contract.listSessions>['sort']>

/** A sequence of events the session must contain, in order; empty for any. */
export interface SessionQuestion {
  readonly question: Question
  readonly sequence: string
}

interface Period {
  from: string
  to: string
}
export type SessionPage = ReplyOf<typeof contract.listSessions> & { readonly period: Period }

const rowsAtOnce = 100
const orNone = (text: string) => (text === '' ? undefined : text)

/**
 * The list keeps the result of its first request. Newer sessions wait until the user loads them, so that no row
 * moves under the pointer. All pages use the period of the first one.
 */
export const sessionsQuery = ({ question, sequence }: SessionQuestion, sort: SessionSort) =>
  infiniteQueryOptions({
    queryKey: [...listKey(question), sort, sequence, question.range, question.filter],
    queryFn: async ({ pageParam, signal }): Promise<SessionPage> => {
      const { params, query } = periodRequestOf(question, signal)
      const period = pageParam?.period ?? { from: query.from, to: query.to }
      const page = await request(calls.sessions.listSessions, {
        params,
        query: {
          ...query,
          ...period,
          sort,
          sequence: orNone(sequence),
          limit: rowsAtOnce,
          cursor: pageParam?.cursor,
        },
        signal,
      })
      return { ...page, period }
    },
    initialPageParam: undefined as { cursor: string; period: Period } | undefined,
    getNextPageParam: ({ next, period }) => (next === null ? undefined : { cursor: next, period }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })

export const listKey = ({ project, env }: EnvironmentRef) => [
  ...['projects', project, 'environments', env, 'telemetry'],
  'sessions',
]

export const newSessionsAtMost = 100
/** From its first event until it was stored. */
const arrivesWithin = 60_000

/**
 * Sessions that started after the list was loaded, or shortly before and arrived since: the newest, up to a
 * maximum.
 */
export const newSessionsQuery = ({ question, sequence }: SessionQuestion, since: string | undefined) =>
  queryOptions({
    ...questionQuery(question, ['new-sessions', sequence, since], async ({ query, ...requested }) => {
      const from = new Date(Date.parse(since ?? query.to) - arrivesWithin).toISOString()
      const { items } = await request(calls.sessions.listSessions, {
        ...requested,
        query: { ...query, from, sequence: orNone(sequence), limit: newSessionsAtMost },
      })
      return items
    }),
    enabled: since !== undefined && question.again !== false,
    staleTime: question.again || 0,
  })

export const sessionFacetsQuery = (
  { question, sequence }: SessionQuestion,
  requested: { fields: string; top: number; search?: string | undefined },
) =>
  questionQuery(question, ['session-facets', sequence, requested], ({ query, ...place }) =>
    request(calls.sessions.listSessionFacets, {
      ...place,
      query: { ...query, ...requested, sequence: orNone(sequence) },
    }),
  )

export const sessionSeriesQuery = ({ question, sequence }: SessionQuestion) =>
  questionQuery(question, ['session-series', sequence], ({ query, ...requested }) =>
    request(calls.sessions.getSessionSeries, {
      ...requested,
      query: { ...query, sequence: orNone(sequence) },
    }),
  )

export const sessionVariationsQuery = ({ question, sequence }: SessionQuestion, flag: string) =>
  questionQuery(question, ['session-variations', sequence, flag], ({ query, ...requested }) =>
    request(calls.sessions.listSessionVariations, {
      ...requested,
      query: { ...query, flag, sequence: orNone(sequence) },
    }),
  )

export const sessionKey = ({ project, env }: EnvironmentRef, session: string) => [
  ...['projects', project, 'environments', env],
  ...['sessions', session],
]

/** Polled while the session continues. */
export const runningEvery = 10_000

export const sessionQuery = (place: EnvironmentRef, session: string) =>
  queryOptions({
    queryKey: sessionKey(place, session),
    queryFn: ({ signal }) => request(calls.sessions.getSession, { params: { ...place, session }, signal }),
    refetchInterval: ({ state }) => (state.data?.running ? runningEvery : false),
  })

/** The most similar recorded session of a user with another variation of the flag. */
export const similarSessionQuery = (
  place: EnvironmentRef,
  { session, ...query }: { session: string; flag: string; control: string },
) =>
  queryOptions({
    queryKey: [...sessionKey(place, session), 'similar', query],
    queryFn: ({ signal }) =>
      request(calls.sessions.getSimilarSession, { params: { ...place, session }, query, signal }),
  })

/** A session with more events is automated, and its list is too long to read. */
const timelineEventsAtMost = 20_000

export interface Timeline {
  readonly events: readonly TimelineEvent[]
  /** There are more events than listed. */
  readonly isCut: boolean
}

/** All events of a session: list and lanes show the whole session. */
export const timelineQuery = (
  place: EnvironmentRef,
  { session, running }: { session: string; running: boolean },
) =>
  queryOptions({
    queryKey: [...sessionKey(place, session), 'events'],
    queryFn: async ({ signal }): Promise<Timeline> => {
      const events: TimelineEvent[] = []
      let cursor: string | undefined
      do {
        const query = { limit: limits.sessionEventsPage, cursor }
        const page = await request(calls.sessions.listSessionEvents, {
          params: { ...place, session },
          query,
          signal,
        })
        events.push(...page.items)
        cursor = page.next ?? undefined
      } while (cursor !== undefined && events.length < timelineEventsAtMost)
      return { events, isCut: cursor !== undefined }
    },
    refetchInterval: running ? runningEvery : false,
  })

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/profiles'
import { limits } from '@telltale/core/limits'
import { request } from './client.ts'
import type { EnvironmentRef } from './identities.ts'
import { periodRequestOf, type Question, questionQuery } from './question.ts'
import { runningEvery, type Session, sessionKey } from './sessions.ts'

export type ProfilePage = ReplyOf<typeof contract.listProfilePages>['pages'][number]
export type FlameGraph = ReplyOf<typeof contract.getFlameGraph>
export type ProfiledFrame = FlameGraph['frames'][number]
export type ProfileDifference = ReplyOf<typeof contract.getProfileDifference>
export type ComparedFrame = ProfileDifference['frames'][number]
export type ProfileSummary = ReplyOf<typeof contract.listProfiles>['items'][number]
export type Profile = ReplyOf<typeof contract.getProfile>
export type ProfiledCode = ReplyOf<typeof contract.getProfiledCode>

/** The pages with profiles, those with the most time first. */
export const profilePagesQuery = (question: Question) =>
  questionQuery(question, ['profile-pages'], async ({ query, ...requested }) => {
    const { pages } = await request(calls.profiles.listProfilePages, { ...requested, query })
    return pages
  })

export const flameGraphQuery = (question: Question, page: string) =>
  questionQuery(question, ['flame-graph', page], ({ query, ...requested }) =>
    request(calls.profiles.getFlameGraph, { ...requested, query: { ...query, page } }),
  )

interface ComparedSides {
  flag: string
  control: string
  treatment: string
}

export const profileDifferenceQuery = (
  question: Question,
  { page, flag, control, treatment }: ComparedSides & { page: string },
) =>
  questionQuery(question, ['profile-difference', page, flag, control, treatment], ({ query, ...requested }) =>
    request(calls.profiles.getProfileDifference, {
      ...requested,
      query: { ...query, page, flag, control, treatment },
    }),
  )

const profilesListed = 20

/** The newest first. */
export const profilesQuery = (question: Question, page: string) =>
  infiniteQueryOptions({
    queryKey: [
      ...['projects', question.project, 'environments', question.env, 'telemetry', 'profiles', page],
      ...[question.range, question.filter],
    ],
    queryFn: ({ pageParam, signal }) => {
      const { query, ...requested } = periodRequestOf(question, signal)
      return request(calls.profiles.listProfiles, {
        ...requested,
        query: { ...query, page, cursor: pageParam, limit: profilesListed },
      })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** The profiles of a session, oldest first. Only one page: more would not fit into a lane. */
export const sessionProfilesQuery = (
  place: EnvironmentRef,
  { id, startedAt, endedAt, running }: Pick<Session, 'id' | 'startedAt' | 'endedAt' | 'running'>,
) =>
  queryOptions({
    queryKey: [...sessionKey(place, id), 'profiles', startedAt, endedAt],
    queryFn: async ({ signal }): Promise<ProfileSummary[]> => {
      const margin = limits.profileWindow
      const query = {
        session: id,
        from: new Date(Date.parse(startedAt) - margin).toISOString(),
        to: new Date(Date.parse(endedAt) + margin).toISOString(),
        limit: limits.pageSizeMaximum,
      }
      const { items } = await request(calls.profiles.listProfiles, { params: { ...place }, query, signal })
      return items.toReversed()
    },
    placeholderData: keepPreviousData,
    refetchInterval: running ? runningEvery : false,
  })

export const profileQuery = ({ project, env }: EnvironmentRef, profile: string) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'telemetry', 'profile', profile],
    queryFn: ({ signal }) =>
      request(calls.profiles.getProfile, { params: { project, env, profile }, signal }),
    // Profiles are immutable.
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The source of a function, or why it is missing. */
export const profiledCodeQuery = (
  { project, env }: EnvironmentRef,
  { file, line, column, version }: Pick<ProfiledFrame, 'file' | 'line' | 'column' | 'version'>,
) =>
  queryOptions({
    queryKey: ['projects', project, 'environments', env, 'profiled-code', file, line, column, version],
    queryFn: ({ signal }) =>
      request(calls.profiles.getProfiledCode, {
        params: { project, env },
        query: { file, line, column, version },
        signal,
      }),
    staleTime: 60_000,
  })

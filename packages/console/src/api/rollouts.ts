import { infiniteQueryOptions, keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import type { BodyOf, QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as proposals from '@telltale/core/contract/rollout-proposal'
import type * as contract from '@telltale/core/contract/rollouts'
import type { PersonalAction } from '@telltale/core/guard/act'
import type { MetricForecast as MetricForecastOf, PlanForecast } from '@telltale/core/guard/forecast-proposal'
import { request } from './client.ts'
import type { ConfigRef } from './flag-configs.ts'

export type RolloutRow = ReplyOf<typeof contract.listRollouts>['items'][number]
export type RolloutDetail = ReplyOf<typeof contract.getRollout>
export type RolloutDecision = ReplyOf<typeof contract.listRolloutDecisions>['items'][number]
export type RolloutMoment = ReplyOf<typeof contract.getRolloutHistory>['items'][number]
/** What a plan can decide with the traffic of a proposal. */
export type Forecast = PlanForecast<RolloutProposal['metrics'][number]>
export type MetricForecast = MetricForecastOf<RolloutProposal['metrics'][number]>
export type RolloutFilter = {
  [Name in 'state' | 'env' | 'flag']?: QueryOf<typeof contract.listRollouts>[Name] | undefined
}

/** As often as the guard evaluates. */
const again = 10_000

const keyOf = (project: string) => ['projects', project, 'rollouts']

/** Newest first. */
export const rolloutsQuery = (project: string, filter: RolloutFilter) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(project), 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      request(calls.rollouts.listRollouts, {
        params: { project },
        query: { ...filter, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? again : false),
  })

export const rolloutQuery = (params: { project: string; rollout: string }) =>
  queryOptions({
    queryKey: [...keyOf(params.project), params.rollout],
    queryFn: ({ signal }) => request(calls.rollouts.getRollout, { params, signal }),
    refetchInterval: ({ state }) => (state.data?.endedAt ? false : again),
  })

export const rolloutDecisionsQuery = (params: { project: string; rollout: string }) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(params.project), params.rollout, 'decisions'],
    queryFn: ({ pageParam, signal }) =>
      request(calls.rollouts.listRolloutDecisions, { params, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? again : false),
  })

export const rolloutHistoryQuery = (params: { project: string; rollout: string }) =>
  queryOptions({
    queryKey: [...keyOf(params.project), params.rollout, 'history'],
    queryFn: async ({ signal }) =>
      (await request(calls.rollouts.getRolloutHistory, { params, signal })).items,
    refetchInterval: 6 * again,
  })

/** Where the series had a gap when it was rolled back; fetched a minute later. */
export const rolloutEvidenceQuery = (params: { project: string; rollout: string }) =>
  queryOptions({
    queryKey: [...keyOf(params.project), params.rollout, 'evidence'],
    queryFn: async ({ signal }) =>
      (await request(calls.rollouts.getRolloutEvidence, { params, signal })).items,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? 2 * again : false),
  })

interface RolloutAct {
  project: string
  rollout: string
  action: PersonalAction
  /** The revision the user saw. */
  turn: number
  comment: string
  idempotencyKey: string
}

/** A member's decision about a rollout. */
export function actOnRollout({ project, rollout, action, turn, comment, idempotencyKey }: RolloutAct) {
  const words = comment === '' ? {} : { comment }
  const requested = { params: { project, rollout }, body: { turn, ...words }, idempotencyKey }
  switch (action) {
    case 'start':
      return request(calls.rollouts.startRollout, requested)
    case 'pause':
      return request(calls.rollouts.pauseRollout, requested)
    case 'resume':
      return request(calls.rollouts.resumeRollout, requested)
    case 'advance':
      return request(calls.rollouts.advanceRollout, requested)
    case 'approve':
      return request(calls.rollouts.approveRollout, requested)
    case 'finish':
      return request(calls.rollouts.finishRollout, requested)
    case 'cancel':
      return request(calls.rollouts.cancelRollout, requested)
    case 'begin-anew':
      return request(calls.rollouts.restartEvidence, requested)
    case 'roll-back':
      // Rolling back needs no revision: it applies whatever happened in the meantime.
      return request(calls.rollouts.rollBackRollout, { ...requested, body: words })
  }
}

/** Lets an excluded slice back; `turn` is the revision that was read. */
export function restoreSlice({
  project,
  rollout,
  turn,
  exclusion,
  comment,
  idempotencyKey,
}: Omit<RolloutAct, 'action'> & { exclusion: string }) {
  const body = { turn, exclusion, ...(comment === '' ? {} : { comment }) }
  return request(calls.rollouts.restoreSlice, { params: { project, rollout }, body, idempotencyKey })
}

/** Of a draft; `turn` is the revision that was read. */
export function approveRolloutStart(requested: {
  project: string
  rollout: string
  turn: number
  comment: string
  idempotencyKey: string
}) {
  const { project, rollout, turn, comment, idempotencyKey } = requested
  const body = { turn, ...(comment === '' ? {} : { comment }) }
  return request(calls.rollouts.approveRolloutStart, { params: { project, rollout }, body, idempotencyKey })
}

export type RolloutProposal = ReplyOf<typeof proposals.proposeRollout>
export type RolloutDraft = BodyOf<typeof contract.createRollout>

/** What the site's own traffic can decide. Requested once per dialog, because it reads two weeks. */
export const rolloutProposalQuery = (
  place: ConfigRef,
  query: QueryOf<typeof proposals.proposeRollout> | undefined,
) =>
  queryOptions({
    queryKey: [...keyOf(place.project), 'proposal', place.env, place.flag, query],
    queryFn: query
      ? ({ signal }) => request(calls.rollouts.proposeRollout, { params: { ...place }, query, signal })
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
    retry: false,
  })

/** Rollouts of a flag in an environment that are running now. */
export const runningRolloutsQuery = ({ project, env, flag }: ConfigRef) =>
  queryOptions({
    queryKey: [...keyOf(project), 'running', env, flag],
    queryFn: async ({ signal }) => {
      const query = { env, flag, state: 'running-any' } as const
      return (await request(calls.rollouts.listRollouts, { params: { project }, query, signal })).items
    },
    refetchInterval: again,
  })

export function createRollout(requested: { place: ConfigRef; draft: RolloutDraft; idempotencyKey: string }) {
  const { place, draft, idempotencyKey } = requested
  return request(calls.rollouts.createRollout, { params: { ...place }, body: draft, idempotencyKey })
}

/** Of a draft; `turn` is the revision that was read. */
export function updateRollout(requested: {
  project: string
  rollout: string
  turn: number
  draft: RolloutDraft
}) {
  const { project, rollout, turn, draft } = requested
  return request(calls.rollouts.updateRollout, { params: { project, rollout }, body: { ...draft, turn } })
}

export function deleteRollout({ project, rollout }: { project: string; rollout: string }) {
  return request(calls.rollouts.deleteRollout, { params: { project, rollout } })
}

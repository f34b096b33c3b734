import { infiniteQueryOptions, keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query'
import type { BodyOf, QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type * as proposals from '@telltale/core/contract/rollout-proposal'
import type * as contract from '@telltale/core/contract/rollouts'
import type { PersonalAction } from '@telltale/core/guard/act'
import { endpoint, request } from './client.ts'
import type { ConfigPlace } from './flag-configs.ts'

export type RolloutRow = ReplyOf<typeof contract.listRollouts>['items'][number]
export type RolloutDetail = ReplyOf<typeof contract.getRollout>
export type RolloutDecision = ReplyOf<typeof contract.listRolloutDecisions>['items'][number]
export type RolloutMoment = ReplyOf<typeof contract.getRolloutHistory>['items'][number]
export type RolloutFilter = {
  [Name in 'state' | 'env' | 'flag']?: QueryOf<typeof contract.listRollouts>[Name] | undefined
}

const list = '/api/v1/projects/:project/rollouts'
const one = '/api/v1/projects/:project/rollouts/:rollout'
const listCall = endpoint<typeof contract.listRollouts>('GET', list)
const getCall = endpoint<typeof contract.getRollout>('GET', one)
const decisionsCall = endpoint<typeof contract.listRolloutDecisions>(
  'GET',
  '/api/v1/projects/:project/rollouts/:rollout/decisions',
)
const historyCall = endpoint<typeof contract.getRolloutHistory>(
  'GET',
  '/api/v1/projects/:project/rollouts/:rollout/history',
)
const evidenceCall = endpoint<typeof contract.getRolloutEvidence>(
  'GET',
  '/api/v1/projects/:project/rollouts/:rollout/evidence',
)
const startCall = endpoint<typeof contract.startRollout>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/start',
)
const pauseCall = endpoint<typeof contract.pauseRollout>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/pause',
)
const resumeCall = endpoint<typeof contract.resumeRollout>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/resume',
)
const advanceCall = endpoint<typeof contract.advanceRollout>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/advance',
)
const approveCall = endpoint<typeof contract.approveRollout>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/approve',
)
const finishCall = endpoint<typeof contract.finishRollout>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/finish',
)
const cancelCall = endpoint<typeof contract.cancelRollout>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/cancel',
)
const restartCall = endpoint<typeof contract.restartEvidence>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/restart-evidence',
)
const rollBackCall = endpoint<typeof contract.rollBackRollout>(
  'POST',
  '/api/v1/projects/:project/rollouts/:rollout/roll-back',
)

/** As often as the guard looks. */
const again = 10_000

const keyOf = (project: string) => ['projects', project, 'rollouts']

/** Newest first. */
export const rolloutsQuery = (project: string, filter: RolloutFilter) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(project), 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      request(listCall, { params: { project }, query: { ...filter, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? again : false),
  })

export const rolloutQuery = (params: { project: string; rollout: string }) =>
  queryOptions({
    queryKey: [...keyOf(params.project), params.rollout],
    queryFn: ({ signal }) => request(getCall, { params, signal }),
    refetchInterval: ({ state }) => (state.data?.endedAt ? false : again),
  })

export const rolloutDecisionsQuery = (params: { project: string; rollout: string }) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(params.project), params.rollout, 'decisions'],
    queryFn: ({ pageParam, signal }) =>
      request(decisionsCall, { params, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? again : false),
  })

export const rolloutHistoryQuery = (params: { project: string; rollout: string }) =>
  queryOptions({
    queryKey: [...keyOf(params.project), params.rollout, 'history'],
    queryFn: async ({ signal }) => (await request(historyCall, { params, signal })).items,
    refetchInterval: 6 * again,
  })

/** Where the gap was when it was rolled back; read a minute later. */
export const rolloutEvidenceQuery = (params: { project: string; rollout: string }) =>
  queryOptions({
    queryKey: [...keyOf(params.project), params.rollout, 'evidence'],
    queryFn: async ({ signal }) => (await request(evidenceCall, { params, signal })).items,
    refetchInterval: ({ state }) => (state.data?.length === 0 ? 2 * again : false),
  })

export interface RolloutAct {
  project: string
  rollout: string
  action: PersonalAction
  /** The turn that was seen. */
  turn: number
  comment: string
  idempotencyKey: string
}

/** What somebody decides about a rollout. */
export function actOnRollout({ project, rollout, action, turn, comment, idempotencyKey }: RolloutAct) {
  const words = comment === '' ? {} : { comment }
  const asked = { params: { project, rollout }, body: { turn, ...words }, idempotencyKey }
  switch (action) {
    case 'start':
      return request(startCall, asked)
    case 'pause':
      return request(pauseCall, asked)
    case 'resume':
      return request(resumeCall, asked)
    case 'advance':
      return request(advanceCall, asked)
    case 'approve':
      return request(approveCall, asked)
    case 'finish':
      return request(finishCall, asked)
    case 'cancel':
      return request(cancelCall, asked)
    case 'begin-anew':
      return request(restartCall, asked)
    case 'roll-back':
      // The brake needs no turn: whatever happened meanwhile, it holds.
      return request(rollBackCall, { ...asked, body: words })
  }
}

export type RolloutProposal = ReplyOf<typeof proposals.proposeRollout>
export type RolloutDraft = BodyOf<typeof contract.createRollout>

const proposeCall = endpoint<typeof proposals.proposeRollout>(
  'GET',
  '/api/v1/projects/:project/environments/:env/flags/:flag/rollout-proposal',
)
const createCall = endpoint<typeof contract.createRollout>(
  'POST',
  '/api/v1/projects/:project/environments/:env/flags/:flag/rollouts',
)
const updateCall = endpoint<typeof contract.updateRollout>('PATCH', one)
const deleteCall = endpoint<typeof contract.deleteRollout>('DELETE', one)

/** What the site's own traffic can decide; asked once for a dialog, for it reads two weeks. */
export const rolloutProposalQuery = (
  place: ConfigPlace,
  query: QueryOf<typeof proposals.proposeRollout> | undefined,
) =>
  queryOptions({
    queryKey: [...keyOf(place.project), 'proposal', place.env, place.flag, query],
    queryFn: query
      ? ({ signal }) => request(proposeCall, { params: { ...place }, query, signal })
      : skipToken,
    placeholderData: keepPreviousData,
    staleTime: 5 * 60_000,
    retry: false,
  })

/** Those of a flag in an environment that are under the guard now. */
export const runningRolloutsQuery = ({ project, env, flag }: ConfigPlace) =>
  queryOptions({
    queryKey: [...keyOf(project), 'running', env, flag],
    queryFn: async ({ signal }) => {
      const query = { env, flag, state: 'running-any' } as const
      return (await request(listCall, { params: { project }, query, signal })).items
    },
    refetchInterval: again,
  })

export function createRollout(asked: { place: ConfigPlace; draft: RolloutDraft; idempotencyKey: string }) {
  const { place, draft, idempotencyKey } = asked
  return request(createCall, { params: { ...place }, body: draft, idempotencyKey })
}

/** Of a draft; `turn`: as it was read. */
export function updateRollout(asked: {
  project: string
  rollout: string
  turn: number
  draft: RolloutDraft
}) {
  const { project, rollout, turn, draft } = asked
  return request(updateCall, { params: { project, rollout }, body: { ...draft, turn } })
}

export function deleteRollout({ project, rollout }: { project: string; rollout: string }) {
  return request(deleteCall, { params: { project, rollout } })
}

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type { OpenedChangeRequest } from '@telltale/core/contract/change-requests'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import type * as contract from '@telltale/core/contract/flags'
import type * as overrides from '@telltale/core/contract/overrides'
import { request } from './client.ts'

export type SavedConfig = ReplyOf<typeof contract.getFlagConfig>
export type TriedFlag = ReplyOf<typeof contract.evaluateFlags>['items'][number]
export type OverrideRow = ReplyOf<typeof overrides.listOverrides>['items'][number]

/** The configuration of a flag in one environment. */
export interface ConfigRef {
  readonly project: string
  readonly env: string
  readonly flag: string
}

/** Saved, or waiting for approval. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly config: SavedConfig }
  | { readonly kind: 'proposed'; readonly opened: OpenedChangeRequest }

const suggestedFlags = 50

export type TargetedFlag = ReplyOf<typeof contract.getFlag>

/** The edited flag: its variations and its state in other environments. */
export const targetedFlagQuery = ({ project, flag }: { project: string; flag: string }) =>
  queryOptions({
    queryKey: ['projects', project, 'flags', flag],
    queryFn: ({ signal }) => request(calls.flags.getFlag, { params: { project, flag }, signal }),
  })

/** Flags to choose from, by part of their key or name. */
export const flagChoicesQuery = ({ project, search }: { project: string; search: string }) =>
  queryOptions({
    queryKey: ['projects', project, 'flags', 'choices', search],
    queryFn: async ({ signal }) => {
      const query = { limit: suggestedFlags, search: search || undefined }
      return (await request(calls.flags.listFlags, { params: { project }, query, signal })).items
    },
    placeholderData: keepPreviousData,
  })

export const configKey = ({ project, env, flag }: ConfigRef) => [
  'projects',
  project,
  'flags',
  flag,
  'environments',
  env,
]

export const flagConfigQuery = (place: ConfigRef) =>
  queryOptions({
    queryKey: [...configKey(place), 'config'],
    queryFn: ({ signal }) => request(calls.flags.getFlagConfig, { params: { ...place }, signal }),
  })

/** Overrides of one flag by targeting key. They take precedence over the rules. */
export const flagOverridesQuery = (place: ConfigRef) =>
  infiniteQueryOptions({
    queryKey: [...configKey(place), 'overrides'],
    queryFn: ({ pageParam, signal }) =>
      request(calls.overrides.listOverrides, { params: { ...place }, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

/** Only set when requested. */
export const ending = (rollouts: readonly string[] | undefined) =>
  rollouts ? { endsEvidenceOf: [...rollouts] } : {}

export async function saveFlagConfig(requested: {
  place: ConfigRef
  draft: FlagConfigDraft
  /** The version that the draft started from. */
  version: number
  reason: string
  idempotencyKey: string
  /** Rollouts whose evidence may end with it. */
  endsEvidenceOf?: readonly string[]
}): Promise<SaveOutcome> {
  const { place, draft, version, reason, idempotencyKey, endsEvidenceOf } = requested
  const reply = await request(calls.flags.saveFlagConfig, {
    params: { ...place },
    body: { ...draft, ...(reason === '' ? {} : { reason }), ...ending(endsEvidenceOf) },
    ifMatch: version,
    idempotencyKey,
  })
  return 'changeRequest' in reply ? { kind: 'proposed', opened: reply } : { kind: 'saved', config: reply }
}

/** The result of the server's evaluator with its reason, for the saved configuration or for a draft. */
export async function tryFlag(requested: {
  place: ConfigRef
  context: Record<string, unknown>
  draft: FlagConfigDraft | undefined
}): Promise<TriedFlag | undefined> {
  const { place, context, draft } = requested
  const { items } = await request(calls.flags.evaluateFlags, {
    params: { project: place.project, env: place.env },
    body: { context, flags: [place.flag], ...(draft ? { draft } : {}) },
  })
  return items[0]
}

/** Evaluations of the flag in the last 24 hours, the server's default period. */
export const evaluatedTodayQuery = (place: ConfigRef) =>
  queryOptions({
    queryKey: [...configKey(place), 'evaluated-today'],
    queryFn: async ({ signal }) => {
      const reply = await request(calls.evaluations.getFlagEvaluations, { params: { ...place }, signal })
      return reply.total
    },
  })

import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BodyOf, QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as evaluations from '@telltale/core/contract/evaluations'
import type * as contract from '@telltale/core/contract/flags'
import { limits } from '@telltale/core/limits'
import { request } from './client.ts'
import { type ConfigRef, configKey, ending, type SaveOutcome } from './flag-configs.ts'

export type DescribedFlag = ReplyOf<typeof contract.listFlags>['items'][number]
/** With the flags that require it. */
export type WholeFlag = ReplyOf<typeof contract.getFlag>
export type SavedFlag = ReplyOf<typeof contract.updateFlag>
export type FlagSummary = DescribedFlag['environments'][number]
export type Lifecycle = DescribedFlag['lifecycle']
export type ValueType = DescribedFlag['valueType']
export type FlagDraft = BodyOf<typeof contract.createFlag>
export type FlagChange = BodyOf<typeof contract.updateFlag>
export type ConfigVersion = ReplyOf<typeof contract.listFlagConfigVersions>['items'][number]
export type Evaluations = ReplyOf<typeof evaluations.getFlagEvaluations>

type ListQuery = QueryOf<typeof contract.listFlags>
export type FlagFilter = Pick<ListQuery, 'search' | 'tag' | 'owner' | 'mine' | 'type' | 'lifecycle'>

export const flagsKey = (project: string) => ['projects', project, 'flags']

/** By key, page by page. The server filters, because a project may have thousands of flags. */
export const flagsQuery = (project: string, filter: FlagFilter) =>
  infiniteQueryOptions({
    queryKey: [...flagsKey(project), 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      request(calls.flags.listFlags, {
        params: { project },
        query: { ...filter, limit: limits.pageSizeMaximum, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

/** Flags to remove from the code, by key. */
export const staleFlagsQuery = (project: string) =>
  queryOptions({
    queryKey: [...flagsKey(project), 'stale'],
    queryFn: async ({ signal }) => {
      const query = { lifecycle: 'stale', limit: limits.pageSizeMaximum } as const
      const page = await request(calls.flags.listFlags, { params: { project }, query, signal })
      return { flags: page.items.map(({ key }) => key), hasMore: page.next !== null }
    },
  })

const keysOffered = 20

/** Keys of the flags whose key, name or description contains the text. */
export async function findFlagKeys(project: string, search: string, signal: AbortSignal): Promise<string[]> {
  const query = { search: search === '' ? undefined : search, limit: keysOffered }
  const { items } = await request(calls.flags.listFlags, { params: { project }, query, signal })
  return items.map(({ key }) => key)
}

export function createFlag(requested: { project: string; draft: FlagDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.flags.createFlag, { params: { project }, body: draft, idempotencyKey })
}

interface FlagRef {
  readonly project: string
  readonly flag: string
}

/** `version` is the one the change is based on. */
export function updateFlag(
  requested: FlagRef & { change: FlagChange; version: number; endsEvidenceOf?: readonly string[] },
) {
  const { project, flag, change, version, endsEvidenceOf } = requested
  const body = { ...change, ...ending(endsEvidenceOf) }
  return request(calls.flags.updateFlag, { params: { project, flag }, body, ifMatch: version })
}

export function archiveFlag({ project, flag }: FlagRef) {
  return request(calls.flags.archiveFlag, { params: { project, flag } })
}

export function restoreFlag({ project, flag }: FlagRef) {
  return request(calls.flags.restoreFlag, { params: { project, flag } })
}

/** With the typed key, the flag is deleted immediately; without it, only a week after its last evaluation. */
export function deleteFlag({ project, flag }: FlagRef) {
  return request(calls.flags.deleteFlag, { params: { project, flag }, query: { confirm: flag } })
}

/** The saved configuration of the flag in one environment. */
export function readConfig(place: ConfigRef) {
  return request(calls.flags.getFlagConfig, { params: { ...place } })
}

/** Every saved version of a configuration, newest first. */
export const versionsQuery = (place: ConfigRef) =>
  infiniteQueryOptions({
    queryKey: [...configKey(place), 'versions'],
    queryFn: ({ pageParam, signal }) =>
      request(calls.flags.listFlagConfigVersions, {
        params: { ...place },
        query: { cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

/** One version. Versions are immutable. */
export const versionQuery = (place: ConfigRef, version: number) =>
  queryOptions({
    queryKey: [...configKey(place), 'version', version],
    queryFn: ({ signal }) =>
      request(calls.flags.getFlagConfigVersion, { params: { ...place, version: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Saves an old version as a new one on top of `current`. */
export async function restoreVersion(requested: {
  place: ConfigRef
  version: number
  current: number
  reason: string
  idempotencyKey: string
  endsEvidenceOf?: readonly string[]
}): Promise<SaveOutcome> {
  const { place, version, current, reason, idempotencyKey, endsEvidenceOf } = requested
  const reply = await request(calls.flags.restoreFlagConfigVersion, {
    params: { ...place, version: String(version) },
    body: { ...(reason === '' ? {} : { reason }), ...ending(endsEvidenceOf) },
    ifMatch: current,
    idempotencyKey,
  })
  return 'changeRequest' in reply ? { kind: 'proposed', opened: reply } : { kind: 'saved', config: reply }
}

interface EvaluationsQuery {
  /** Names the period in the query key: a period that ends now has different bounds on every attempt. */
  readonly range: string
  readonly bounds: () => { from: string; to: string }
  readonly step: 'minute' | 'hour' | 'day'
}

export const evaluationsQuery = (place: ConfigRef, { range, bounds, step }: EvaluationsQuery) =>
  queryOptions({
    queryKey: [...configKey(place), 'evaluations', range, step],
    queryFn: ({ signal }) =>
      request(calls.evaluations.getFlagEvaluations, {
        params: { ...place },
        query: { ...bounds(), step },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

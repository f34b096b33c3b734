import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BodyOf, QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as evaluations from '@telltale/core/contract/evaluations'
import type * as contract from '@telltale/core/contract/flags'
import { limits } from '@telltale/core/limits'
import { request } from './client.ts'
import { type ConfigPlace, configKey, ending, type SaveOutcome } from './flag-configs.ts'

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
export type FlagFilter = Pick<ListQuery, 'search' | 'tag' | 'owner' | 'type' | 'lifecycle'>

export const flagsKey = (project: string) => ['projects', project, 'flags']

/** By key, page after page. The server filters: a project may have thousands. */
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

const keysOffered = 20

/** Keys of flags that have the text in their key, name or description. */
export async function findFlagKeys(project: string, search: string, signal: AbortSignal): Promise<string[]> {
  const query = { search: search === '' ? undefined : search, limit: keysOffered }
  const { items } = await request(calls.flags.listFlags, { params: { project }, query, signal })
  return items.map(({ key }) => key)
}

export function createFlag(asked: { project: string; draft: FlagDraft; idempotencyKey: string }) {
  const { project, draft, idempotencyKey } = asked
  return request(calls.flags.createFlag, { params: { project }, body: draft, idempotencyKey })
}

interface FlagRef {
  readonly project: string
  readonly flag: string
}

/** `version` is what the change started from. */
export function updateFlag(
  asked: FlagRef & { change: FlagChange; version: number; endsEvidenceOf?: readonly string[] },
) {
  const { project, flag, change, version, endsEvidenceOf } = asked
  const body = { ...change, ...ending(endsEvidenceOf) }
  return request(calls.flags.updateFlag, { params: { project, flag }, body, ifMatch: version })
}

export function archiveFlag({ project, flag }: FlagRef) {
  return request(calls.flags.archiveFlag, { params: { project, flag } })
}

export function restoreFlag({ project, flag }: FlagRef) {
  return request(calls.flags.restoreFlag, { params: { project, flag } })
}

/** With its key typed out it goes at once; without, only a week after its last evaluation. */
export function deleteFlag({ project, flag }: FlagRef) {
  return request(calls.flags.deleteFlag, { params: { project, flag }, query: { confirm: flag } })
}

/** What the flag does in one environment, as it is saved at this moment. */
export function readConfig(place: ConfigPlace) {
  return request(calls.flags.getFlagConfig, { params: { ...place } })
}

/** Every saved version of a configuration, newest first. */
export const versionsQuery = (place: ConfigPlace) =>
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

/** One version. It never changes any more. */
export const versionQuery = (place: ConfigPlace, version: number) =>
  queryOptions({
    queryKey: [...configKey(place), 'version', version],
    queryFn: ({ signal }) =>
      request(calls.flags.getFlagConfigVersion, { params: { ...place, version: String(version) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Saves an old version again, as a new one over `current`. */
export async function restoreVersion(asked: {
  place: ConfigPlace
  version: number
  current: number
  reason: string
  idempotencyKey: string
  endsEvidenceOf?: readonly string[]
}): Promise<SaveOutcome> {
  const { place, version, current, reason, idempotencyKey, endsEvidenceOf } = asked
  const reply = await request(calls.flags.restoreFlagConfigVersion, {
    params: { ...place, version: String(version) },
    body: { ...(reason === '' ? {} : { reason }), ...ending(endsEvidenceOf) },
    ifMatch: current,
    idempotencyKey,
  })
  return 'changeRequest' in reply ? { kind: 'proposed', opened: reply } : { kind: 'saved', config: reply }
}

export interface EvaluationsAsked {
  /** Names the span in the memory of the console: one that ends now has other bounds at every try. */
  readonly range: string
  readonly bounds: () => { from: string; to: string }
  readonly step: 'minute' | 'hour' | 'day'
}

export const evaluationsQuery = (place: ConfigPlace, { range, bounds, step }: EvaluationsAsked) =>
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

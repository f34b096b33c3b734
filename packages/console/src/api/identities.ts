import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/identities'
import { request } from './client.ts'

export type IdentityRow = ReplyOf<typeof contract.listIdentities>['items'][number]
export type Identity = ReplyOf<typeof contract.getIdentity>
export type ExplainedFlag = ReplyOf<typeof contract.evaluateIdentity>['items'][number]

const again = 10_000

/** Identities belong to one environment. */
export interface EnvironmentRef {
  readonly project: string
  readonly env: string
}

export interface IdentityFilter {
  /** Prefix of the targeting key. */
  readonly search?: string | undefined
  readonly trait?: { readonly name: string; readonly value: string } | undefined
}

export const identitiesKey = ({ project, env }: EnvironmentRef) => [
  'projects',
  project,
  'environments',
  env,
  'identities',
]

/** Identities seen in an environment, most recently seen first; the search matches the targeting key. */
export const identitiesQuery = (place: EnvironmentRef, filter: IdentityFilter) =>
  infiniteQueryOptions({
    queryKey: [...identitiesKey(place), filter],
    queryFn: ({ pageParam, signal }) =>
      request(calls.identities.listIdentities, {
        params: { ...place },
        query: {
          search: filter.search,
          trait: filter.trait?.name,
          value: filter.trait?.value,
          cursor: pageParam,
        },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    // The screen of an application that has just been connected says that they appear in a few seconds.
    refetchInterval: ({ state }) => (state.data?.pages[0]?.items.length === 0 ? again : false),
  })

export const identityQuery = (place: EnvironmentRef, targetingKey: string) =>
  queryOptions({
    queryKey: [...identitiesKey(place), 'one', targetingKey],
    queryFn: ({ signal }) =>
      request(calls.identities.getIdentity, { params: { ...place, targetingKey }, signal }),
  })

/** The variation of every flag for an identity, with its reason. Also works for keys that were never seen. */
export const identityFlagsQuery = (place: EnvironmentRef, targetingKey: string) =>
  queryOptions({
    queryKey: [...identitiesKey(place), 'one', targetingKey, 'flags'],
    queryFn: ({ signal }) =>
      request(calls.identities.evaluateIdentity, { params: { ...place, targetingKey }, signal }),
  })

export function deleteIdentity({ place, targetingKey }: { place: EnvironmentRef; targetingKey: string }) {
  return request(calls.identities.deleteIdentity, { params: { ...place, targetingKey } })
}

import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/overrides'
import { request } from './client.ts'

export type Override = ReplyOf<typeof contract.putOverride>

/** Identifies an override: identity, flag and environment. */
export interface OverrideRef {
  readonly project: string
  readonly env: string
  readonly flag: string
  readonly targetingKey: string
}

export function putOverride({ place, variation }: { place: OverrideRef; variation: string }) {
  return request(calls.overrides.putOverride, { params: { ...place }, body: { variation } })
}

export function deleteOverride(place: OverrideRef) {
  return request(calls.overrides.deleteOverride, { params: { ...place } })
}

/** Variations an override can choose from, in the order of the flag. */
export const flagVariationsQuery = (project: string, flag: string) =>
  queryOptions({
    queryKey: ['projects', project, 'flags', flag, 'variations'],
    queryFn: async ({ signal }) => {
      const { variations } = await request(calls.flags.getFlag, { params: { project, flag }, signal })
      return variations
    },
  })

import { queryOptions } from '@tanstack/react-query'
import type { ReplyOf } from '@telltale/core/contract/call'
import type * as flags from '@telltale/core/contract/flags'
import type * as contract from '@telltale/core/contract/overrides'
import { endpoint, request } from './client.ts'

export type Override = ReplyOf<typeof contract.putOverride>

/** Whose override of which flag, in which environment. */
export interface OverridePlace {
  readonly project: string
  readonly env: string
  readonly flag: string
  readonly targetingKey: string
}

const overridePath = '/api/v1/projects/:project/environments/:env/flags/:flag/overrides/:targetingKey'
const putCall = endpoint<typeof contract.putOverride>('PUT', overridePath)
const deleteCall = endpoint<typeof contract.deleteOverride>('DELETE', overridePath)

export function putOverride({ place, variation }: { place: OverridePlace; variation: string }) {
  return request(putCall, { params: { ...place }, body: { variation } })
}

export function deleteOverride(place: OverridePlace) {
  return request(deleteCall, { params: { ...place } })
}

const getFlag = endpoint<typeof flags.getFlag>('GET', '/api/v1/projects/:project/flags/:flag')

/** What an override of a flag can choose from, in the order of the flag. */
export const flagVariationsQuery = (project: string, flag: string) =>
  queryOptions({
    queryKey: ['projects', project, 'flags', flag, 'variations'],
    queryFn: async ({ signal }) => {
      const { variations } = await request(getFlag, { params: { project, flag }, signal })
      return variations
    },
  })

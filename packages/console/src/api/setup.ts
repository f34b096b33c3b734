import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/installation'
import { request } from './client.ts'

export type SetupDraft = BodyOf<typeof contract.completeSetup>

/** Whether the installation has an owner. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request(calls.installation.getSetup, { signal }),
  retry: false,
})

export function completeSetup(draft: SetupDraft) {
  return request(calls.installation.completeSetup, { body: draft })
}

import { queryOptions } from '@tanstack/react-query'
import type { BodyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/installation'
import { endpoint, request } from './client.ts'

export type SetupDraft = BodyOf<typeof contract.completeSetup>

const getSetup = endpoint<typeof contract.getSetup>('GET', '/api/v1/setup')
const completeSetupCall = endpoint<typeof contract.completeSetup>('POST', '/api/v1/setup')

/** Whether the installation has its owner. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request(getSetup, { signal }),
  retry: false,
})

export function completeSetup(draft: SetupDraft) {
  return request(completeSetupCall, { body: draft })
}

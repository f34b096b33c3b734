import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/installation'
import { request } from './client.ts'

export type Installation = ReplyOf<typeof contract.getInstallation>

const pollInterval = 10_000

/** Version, engines and backups. Polled while the screen is open. */
export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: ({ signal }) => request(calls.installation.getInstallation, { signal }),
  refetchInterval: pollInterval,
})

/** Sets the base URL of links in mail. */
export function updateInstallation(body: BodyOf<typeof contract.updateInstallation>) {
  return request(calls.installation.updateInstallation, { body })
}

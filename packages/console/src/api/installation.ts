import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/installation'
import { endpoint, request } from './client.ts'

export type Installation = ReplyOf<typeof contract.getInstallation>

const updateInstallationCall = endpoint<typeof contract.updateInstallation>('PATCH', '/api/v1/installation')
const getInstallation = endpoint<typeof contract.getInstallation>('GET', '/api/v1/installation')

const askAgainAfter = 10_000

/** Version, engines and backups. Asked again while somebody looks at it. */
export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: ({ signal }) => request(getInstallation, { signal }),
  refetchInterval: askAgainAfter,
})

/** Sets what links in mail begin with. */
export function updateInstallation(body: BodyOf<typeof contract.updateInstallation>) {
  return request(updateInstallationCall, { body })
}

import { queryOptions } from '@tanstack/react-query'
import { calls } from '@telltale/core/contract/calls'
import type { ScimToken as Token } from '@telltale/core/contract/scim'
import { request } from './client.ts'

export type ScimToken = Token

/** The tokens for SCIM with their last requests. */
export const scimTokensQuery = queryOptions({
  queryKey: ['scim-tokens'],
  queryFn: ({ signal }) => request(calls.scim.listScimTokens, { signal }),
})

export const createScimToken = ({ name, idempotencyKey }: { name: string; idempotencyKey: string }) =>
  request(calls.scim.createScimToken, { body: { name }, idempotencyKey })

export const revokeScimToken = (scimToken: string) =>
  request(calls.scim.revokeScimToken, { params: { scimToken } })

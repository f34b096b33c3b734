import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/tokens'
import { endpoint, request } from './client.ts'

export type ApiToken = ReplyOf<typeof contract.listTokens>['items'][number]
export type TokenDraft = BodyOf<typeof contract.createToken>

const listTokens = endpoint<typeof contract.listTokens>('GET', '/api/v1/account/tokens')
const createTokenCall = endpoint<typeof contract.createToken>('POST', '/api/v1/account/tokens')
const revokeTokenCall = endpoint<typeof contract.revokeToken>('DELETE', '/api/v1/account/tokens/:token')
const listProjectTokens = endpoint<typeof contract.listProjectTokens>(
  'GET',
  '/api/v1/projects/:project/tokens',
)
const revokeProjectTokenCall = endpoint<typeof contract.revokeProjectToken>(
  'DELETE',
  '/api/v1/projects/:project/tokens/:token',
)

/** The own API tokens, newest first. */
export const tokensQuery = infiniteQueryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: ({ pageParam, signal }) => request(listTokens, { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next,
})

/** The API tokens that are limited to a project, of whomever, newest first. */
export const projectTokensQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'tokens'],
    queryFn: ({ pageParam, signal }) =>
      request(listProjectTokens, { params: { project }, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export function createToken({ draft, idempotencyKey }: { draft: TokenDraft; idempotencyKey: string }) {
  return request(createTokenCall, { body: draft, idempotencyKey })
}

export function revokeToken(token: string) {
  return request(revokeTokenCall, { params: { token } })
}

export function revokeProjectToken({ project, token }: { project: string; token: string }) {
  return request(revokeProjectTokenCall, { params: { project, token } })
}

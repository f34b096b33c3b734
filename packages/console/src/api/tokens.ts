import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/tokens'
import { request } from './client.ts'

export type ApiToken = ReplyOf<typeof contract.listTokens>['items'][number]
export type TokenDraft = BodyOf<typeof contract.createToken>

/** The account's own API tokens, newest first. */
export const tokensQuery = infiniteQueryOptions({
  queryKey: ['account', 'tokens'],
  queryFn: ({ pageParam, signal }) =>
    request(calls.tokens.listTokens, { query: { cursor: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next,
})

/** API tokens limited to a project, of all accounts, newest first. */
export const projectTokensQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'tokens'],
    queryFn: ({ pageParam, signal }) =>
      request(calls.tokens.listProjectTokens, { params: { project }, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export function createToken({ draft, idempotencyKey }: { draft: TokenDraft; idempotencyKey: string }) {
  return request(calls.tokens.createToken, { body: draft, idempotencyKey })
}

export function revokeToken(token: string) {
  return request(calls.tokens.revokeToken, { params: { token } })
}

export function revokeProjectToken({ project, token }: { project: string; token: string }) {
  return request(calls.tokens.revokeProjectToken, { params: { project, token } })
}

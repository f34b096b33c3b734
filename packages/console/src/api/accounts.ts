import { queryOptions } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/accounts'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { request } from './client.ts'

export type Account = ReplyOf<typeof contract.getAccount>
export type Credentials = BodyOf<typeof contract.signIn>
export type LoginSession = ReplyOf<typeof contract.listSessions>['items'][number]

/** The signed-in account with its projects and roles. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request(calls.accounts.getAccount, { signal }),
  staleTime: 60_000,
})

export function signIn(credentials: Credentials) {
  return request(calls.accounts.signIn, { body: credentials })
}

export function signOut() {
  return request(calls.accounts.signOut, {})
}

export function requestPasswordReset(email: string) {
  return request(calls.accounts.requestPasswordReset, { body: { email } })
}

export function resetPassword(draft: BodyOf<typeof contract.resetPassword>) {
  return request(calls.accounts.resetPassword, { body: draft })
}

export function updateAccount(change: BodyOf<typeof contract.updateAccount>) {
  return request(calls.accounts.updateAccount, { body: change })
}

export function changePassword(draft: BodyOf<typeof contract.changePassword>) {
  return request(calls.accounts.changePassword, { body: draft })
}

/** Active sessions of the account, most recently used first. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => request(calls.accounts.listSessions, { signal }),
})

export function endOtherSessions() {
  return request(calls.accounts.endOtherSessions, {})
}

export function endSession(session: string) {
  return request(calls.accounts.endSession, { params: { session } })
}

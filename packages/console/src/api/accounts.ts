import { queryOptions } from '@tanstack/react-query'
import type * as contract from '@telltale/core/contract/accounts'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { endpoint, request } from './client.ts'

export type Account = ReplyOf<typeof contract.getAccount>
export type Credentials = BodyOf<typeof contract.signIn>
export type LoginSession = ReplyOf<typeof contract.listSessions>['items'][number]

const getAccount = endpoint<typeof contract.getAccount>('GET', '/api/v1/account')
const signInCall = endpoint<typeof contract.signIn>('POST', '/api/v1/sign-in')
const signOutCall = endpoint<typeof contract.signOut>('POST', '/api/v1/sign-out')
const requestResetCall = endpoint<typeof contract.requestPasswordReset>('POST', '/api/v1/password-reset')
const resetCall = endpoint<typeof contract.resetPassword>('PUT', '/api/v1/password-reset')
const updateAccountCall = endpoint<typeof contract.updateAccount>('PATCH', '/api/v1/account')
const changePasswordCall = endpoint<typeof contract.changePassword>('PUT', '/api/v1/account/password')
const listSessions = endpoint<typeof contract.listSessions>('GET', '/api/v1/account/sessions')
const endSessionCall = endpoint<typeof contract.endSession>('DELETE', '/api/v1/account/sessions/:session')

/** Who is signed in, with the projects and roles that follow. */
export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => request(getAccount, { signal }),
  staleTime: 60_000,
})

export function signIn(credentials: Credentials) {
  return request(signInCall, { body: credentials })
}

export function signOut() {
  return request(signOutCall, {})
}

export function requestPasswordReset(email: string) {
  return request(requestResetCall, { body: { email } })
}

export function resetPassword(draft: BodyOf<typeof contract.resetPassword>) {
  return request(resetCall, { body: draft })
}

export function updateAccount(change: BodyOf<typeof contract.updateAccount>) {
  return request(updateAccountCall, { body: change })
}

export function changePassword(draft: BodyOf<typeof contract.changePassword>) {
  return request(changePasswordCall, { body: draft })
}

/** Where one is signed in, newest use first. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => request(listSessions, { signal }),
})

export function endSession(session: string) {
  return request(endSessionCall, { params: { session } })
}

import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/users'
import { request } from './client.ts'

export type User = ReplyOf<typeof contract.getUser>
export type PasswordLink = ReplyOf<typeof contract.issuePasswordReset>

/** The users of the installation, by e-mail. */
export const usersQuery = (search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['users', { search }],
    queryFn: ({ pageParam, signal }) =>
      request(calls.users.listUsers, { query: { search, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export function updateUser({ user, change }: { user: string; change: BodyOf<typeof contract.updateUser> }) {
  return request(calls.users.updateUser, { params: { user }, body: change })
}

export function deleteUser(user: string) {
  return request(calls.users.deleteUser, { params: { user } })
}

/** On all devices. Tokens stay valid. */
export function endUserSessions(user: string) {
  return request(calls.users.endUserSessions, { params: { user } })
}

/** Creates a link with which the user sets a new password. */
export function issuePasswordLink(user: string) {
  return request(calls.users.issuePasswordReset, { params: { user } })
}

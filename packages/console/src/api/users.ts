import { infiniteQueryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/users'
import { endpoint, request } from './client.ts'

export type User = ReplyOf<typeof contract.getUser>
export type PasswordLink = ReplyOf<typeof contract.issuePasswordReset>

const listUsers = endpoint<typeof contract.listUsers>('GET', '/api/v1/users')
const updateUserCall = endpoint<typeof contract.updateUser>('PATCH', '/api/v1/users/:user')
const deleteUserCall = endpoint<typeof contract.deleteUser>('DELETE', '/api/v1/users/:user')
const issueLink = endpoint<typeof contract.issuePasswordReset>('POST', '/api/v1/users/:user/password-reset')

/** The users of the installation, by e-mail. */
export const usersQuery = (search: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['users', { search }],
    queryFn: ({ pageParam, signal }) => request(listUsers, { query: { search, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export function updateUser({ user, change }: { user: string; change: BodyOf<typeof contract.updateUser> }) {
  return request(updateUserCall, { params: { user }, body: change })
}

export function deleteUser(user: string) {
  return request(deleteUserCall, { params: { user } })
}

/** A link with which the user sets a new password. */
export function issuePasswordLink(user: string) {
  return request(issueLink, { params: { user } })
}

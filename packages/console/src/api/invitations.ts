import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/invitations'
import { endpoint, request } from './client.ts'

export type InvitationView = ReplyOf<typeof contract.viewInvitation>

const viewInvitation = endpoint<typeof contract.viewInvitation>('POST', '/api/v1/invitation/view')
const acceptInvitationCall = endpoint<typeof contract.acceptInvitation>('POST', '/api/v1/invitation/accept')

/** What the link of an invitation leads to. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => request(viewInvitation, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export function acceptInvitation(draft: BodyOf<typeof contract.acceptInvitation>) {
  return request(acceptInvitationCall, { body: draft })
}

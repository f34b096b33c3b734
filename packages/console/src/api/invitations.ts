import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/invitations'
import { endpoint, request } from './client.ts'

export type InvitationView = ReplyOf<typeof contract.viewInvitation>
export type Invitation = ReplyOf<typeof contract.listInvitations>['items'][number]
export type IssuedInvitation = ReplyOf<typeof contract.createInvitation>

const viewInvitation = endpoint<typeof contract.viewInvitation>('POST', '/api/v1/invitation/view')
const acceptInvitationCall = endpoint<typeof contract.acceptInvitation>('POST', '/api/v1/invitation/accept')
const listInvitations = endpoint<typeof contract.listInvitations>(
  'GET',
  '/api/v1/projects/:project/invitations',
)
const createInvitationCall = endpoint<typeof contract.createInvitation>(
  'POST',
  '/api/v1/projects/:project/invitations',
)
const renewInvitationCall = endpoint<typeof contract.renewInvitation>(
  'POST',
  '/api/v1/projects/:project/invitations/:invitation/renew',
)
const revokeInvitationCall = endpoint<typeof contract.revokeInvitation>(
  'DELETE',
  '/api/v1/projects/:project/invitations/:invitation',
)

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

/** The invitations to a project, newest first. */
export const invitationsQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'invitations'],
    queryFn: ({ pageParam, signal }) =>
      request(listInvitations, { params: { project }, query: { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export function createInvitation(asked: {
  project: string
  draft: BodyOf<typeof contract.createInvitation>
  idempotencyKey: string
}) {
  const { project, draft, idempotencyKey } = asked
  return request(createInvitationCall, { params: { project }, body: draft, idempotencyKey })
}

/** A new link; the one before stops working. */
export function renewInvitation({ project, invitation }: { project: string; invitation: string }) {
  return request(renewInvitationCall, { params: { project, invitation } })
}

export function revokeInvitation({ project, invitation }: { project: string; invitation: string }) {
  return request(revokeInvitationCall, { params: { project, invitation } })
}

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/invitations'
import { request } from './client.ts'

export type InvitationView = ReplyOf<typeof contract.viewInvitation>
export type Invitation = ReplyOf<typeof contract.listInvitations>['items'][number]
export type IssuedInvitation = ReplyOf<typeof contract.createInvitation>

/** What the link of an invitation is for. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => request(calls.invitations.viewInvitation, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export function acceptInvitation(draft: BodyOf<typeof contract.acceptInvitation>) {
  return request(calls.invitations.acceptInvitation, { body: draft })
}

/** The invitations to a project, newest first. */
export const invitationsQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, 'invitations'],
    queryFn: ({ pageParam, signal }) =>
      request(calls.invitations.listInvitations, {
        params: { project },
        query: { cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
  })

export function createInvitation(requested: {
  project: string
  draft: BodyOf<typeof contract.createInvitation>
  idempotencyKey: string
}) {
  const { project, draft, idempotencyKey } = requested
  return request(calls.invitations.createInvitation, { params: { project }, body: draft, idempotencyKey })
}

/** Creates a new link. The previous one stops working. */
export function renewInvitation({ project, invitation }: { project: string; invitation: string }) {
  return request(calls.invitations.renewInvitation, { params: { project, invitation } })
}

export function revokeInvitation({ project, invitation }: { project: string; invitation: string }) {
  return request(calls.invitations.revokeInvitation, { params: { project, invitation } })
}

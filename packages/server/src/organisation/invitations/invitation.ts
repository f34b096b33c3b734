import type { Invitation } from '@telltale/core/contract/invitations'
import type { Static } from 'typebox'
import type { InvitationRow } from './queries.ts'

type InvitationView = Static<typeof Invitation>

/** What an invitation is now. Nothing has to happen for it to expire. */
export function stateOf(row: InvitationRow, now: Date): InvitationView['state'] {
  if (row.acceptedAt) return 'accepted'
  if (row.revokedAt) return 'revoked'
  return row.expiresAt <= now ? 'expired' : 'pending'
}

/** An invitation as the API shows it. */
export function toInvitation(row: InvitationRow, now: Date): InvitationView {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    state: stateOf(row, now),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }
}

/** What the audit log says of an invitation: never its link. */
export function auditedInvitation(row: InvitationRow, now: Date): object {
  const { email, role, state, expiresAt } = toInvitation(row, now)
  return { email, role, state, expiresAt }
}

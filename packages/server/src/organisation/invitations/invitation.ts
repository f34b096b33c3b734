import type { Invitation } from '@telltale/core/contract/invitations'
import type { Static } from 'typebox'
import type { InvitationRow } from './queries.ts'

type InvitationView = Static<typeof Invitation>

/** The current state of an invitation. Expiry is derived, not stored. */
export function stateOf(row: InvitationRow, now: Date): InvitationView['state'] {
  if (row.acceptedAt) return 'accepted'
  if (row.revokedAt) return 'revoked'
  return row.expiresAt <= now ? 'expired' : 'pending'
}

/** An invitation as the API returns it. */
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

/** The fields of an invitation in the audit log, without its link. */
export function auditedInvitation(row: InvitationRow, now: Date): object {
  const { email, role, state, expiresAt } = toInvitation(row, now)
  return { email, role, state, expiresAt }
}

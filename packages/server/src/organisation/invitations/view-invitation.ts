import { problem } from '@telltale/core/errors'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { hashSecret, tokenOfLink } from '../../platform/http/secret.ts'
import { findUserByEmail } from '../users/queries.ts'
import { stateOf } from './invitation.ts'
import { findInvitationByToken, type InvitationRow } from './queries.ts'

/** The invitation of a link. Throws `link-expired` with the reason if the link does not work. */
export async function getOpenInvitation(db: Queryable, { token, now }: { token: string; now: Date }) {
  const found = await findInvitationByToken(db, hashSecret(tokenOfLink(token)))
  if (!found) throw problem('link-expired', 'Unknown link: it is incomplete, or a newer one was sent.')

  refuseClosed(found.invitation, now)
  return found
}

const closedDetails = {
  accepted: 'The invitation was already accepted. Sign in instead.',
  expired: 'The invitation has expired. Ask for a new link.',
  revoked: 'The invitation was revoked.',
}

export function refuseClosed(invitation: InvitationRow, now: Date): void {
  const state = stateOf(invitation, now)
  if (state !== 'pending') throw problem('link-expired', closedDetails[state])
}

export async function viewInvitation(db: Queryable, link: { token: string; now: Date }) {
  const { invitation, project, invitedBy } = await getOpenInvitation(db, link)

  return {
    email: invitation.email,
    role: invitation.role,
    project: { key: project.key, name: project.name },
    invitedBy,
    expiresAt: invitation.expiresAt.toISOString(),
    hasAccount: (await findUserByEmail(db, invitation.email)) !== undefined,
  }
}

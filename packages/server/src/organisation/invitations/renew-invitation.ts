import { problem } from '@telltale/core/errors'
import { type Grant, rightsOf } from '@telltale/core/rights'
import { eq } from 'drizzle-orm'
import type { ProjectRow } from '../../access/find-project.ts'
import { lockProject } from '../../access/find-project.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { invitations } from '../../platform/engines/postgres/schema.ts'
import { takeRole } from '../roles/queries.ts'
import { refuseExcess } from '../roles/refuse-excess.ts'
import { refuseNeedless } from './create-invitation.ts'
import { auditedInvitation, toInvitation } from './invitation.ts'
import { newLink, writeLetter } from './link.ts'
import type { Post } from './post-letters.ts'
import { lockInvitation } from './queries.ts'

interface InvitationRenewal {
  project: ProjectRow
  id: string
  /** What the sender may do: the new link gives the role to its holder. */
  author: Grant
  sender: UserRow
  /** The address of the installation, for the link. */
  site: string
  post: Post | undefined
}

/** Issues a new link for a pending or expired invitation; the old link stops working. */
export const renewInvitation = change(async ({ db, now }, renewal: InvitationRenewal) => {
  const { project, id, author, sender, site, post } = renewal
  await lockProject(db, project.id)
  const before = await lockInvitation(db, { projectId: project.id, id })
  if (!before) throw problem('not-found')
  if (before.acceptedAt) throw problem('in-use', `${before.email} has accepted the invitation.`)
  if (before.revokedAt) throw problem('link-expired', 'The invitation was revoked. Invite again instead.')
  const permissions = await takeRole(db, { projectId: project.id, key: before.role }, '/role')
  refuseExcess(author, { before: undefined, after: rightsOf(permissions) })
  await refuseNeedless(db, { projectId: project.id, email: before.email, now, besides: id })

  const link = newLink(site, now)
  const after = { ...before, tokenHash: link.tokenHash, expiresAt: link.expiresAt, invitedBy: sender.id }
  await db.update(invitations).set(after).where(eq(invitations.id, id))
  post?.(writeLetter({ invitation: after, project, sender, link }))

  return {
    reply: { invitation: toInvitation(after, now), url: link.url, mailed: post !== undefined },
    changes: [
      {
        action: 'invitation.renew',
        entity: { kind: 'invitation', id, name: before.email },
        project,
        before: auditedInvitation(before, now),
        after: auditedInvitation(after, now),
      },
    ],
  }
})

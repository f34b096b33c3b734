import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { change } from '../../platform/engines/postgres/change.ts'
import { invitations } from '../../platform/engines/postgres/schema.ts'
import { auditedInvitation, toInvitation } from './invitation.ts'
import { lockInvitation } from './queries.ts'

interface InvitationRevocation {
  project: { id: string; key: string }
  id: string
}

/** Revokes an invitation that was not accepted. Idempotent. */
export const revokeInvitation = change(async ({ db, now }, { project, id }: InvitationRevocation) => {
  const before = await lockInvitation(db, { projectId: project.id, id })
  if (!before) throw problem('not-found')
  if (before.acceptedAt) {
    throw problem('in-use', `${before.email} has accepted the invitation. Remove the member instead.`)
  }
  if (before.revokedAt) return { reply: toInvitation(before, now), changes: [] }

  const after = { ...before, revokedAt: now }
  await db.update(invitations).set({ revokedAt: now }).where(eq(invitations.id, id))
  return {
    reply: toInvitation(after, now),
    changes: [
      {
        action: 'invitation.revoke',
        entity: { kind: 'invitation', id, name: before.email },
        project,
        before: auditedInvitation(before, now),
        after: auditedInvitation(after, now),
      },
    ],
  }
})

import { problem } from '@telltale/core/errors'
import { type Grant, rightsOf } from '@telltale/core/rights'
import { v7 as newId } from 'uuid'
import type { ProjectRow } from '../../access/find-project.ts'
import { lockProject } from '../../access/find-project.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { invitations } from '../../platform/engines/postgres/schema.ts'
import { takeRole } from '../roles/queries.ts'
import { refuseExcess } from '../roles/refuse-excess.ts'
import { auditedInvitation, toInvitation } from './invitation.ts'
import { newLink, writeLetter } from './link.ts'
import type { Post } from './post-letters.ts'
import { hasPendingInvitation, isMember } from './queries.ts'

interface InvitationDraft {
  project: ProjectRow
  email: string
  role: string
  /** What the sender may do, which is the most that they can give. */
  author: Grant
  sender: UserRow
  /** The address of the installation, for the link. */
  site: string
  post: Post | undefined
}

/** Invites an e-mail address. The link is returned only once. */
export const createInvitation = change(async ({ db, now }, draft: InvitationDraft) => {
  const { project, email, role, author, sender, site, post } = draft
  if (!(await lockProject(db, project.id))) throw problem('not-found')
  const permissions = await takeRole(db, { projectId: project.id, key: role }, '/role')
  refuseExcess(author, { before: undefined, after: rightsOf(permissions) })
  await refuseNeedless(db, { projectId: project.id, email, now })

  const link = newLink(site, now)
  const [row] = await db
    .insert(invitations)
    .values({
      id: newId(),
      projectId: project.id,
      email,
      role,
      tokenHash: link.tokenHash,
      invitedBy: sender.id,
      createdAt: now,
      expiresAt: link.expiresAt,
    })
    .returning()
  if (!row) throw problem('internal')
  post?.(writeLetter({ invitation: row, project, sender, link }))

  return {
    reply: { invitation: toInvitation(row, now), url: link.url, mailed: post !== undefined },
    changes: [
      {
        action: 'invitation.create',
        entity: { kind: 'invitation', id: row.id, name: row.email },
        project,
        after: auditedInvitation(row, now),
      },
    ],
  }
})

/** Throws `already-exists` if the address has a valid link already, or belongs to a member. */
export async function refuseNeedless(
  db: Queryable,
  addressee: Parameters<typeof hasPendingInvitation>[1],
): Promise<void> {
  const { email } = addressee
  if (await isMember(db, addressee)) {
    throw problem('already-exists', `${email} is already a member of the project.`)
  }
  if (await hasPendingInvitation(db, addressee)) {
    throw problem('already-exists', `${email} is already invited. Renew that invitation for a new link.`)
  }
}

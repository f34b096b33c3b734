import { problem } from '@telltale/core/errors'
import type { ProjectRow } from '../../access/find-project.ts'
import { lockProject } from '../../access/find-project.ts'
import { beginSession } from '../../access/sessions.ts'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import {
  type ChangeContext,
  type ChangeOrigin,
  change,
  type EntityChange,
} from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { findUser } from '../users/queries.ts'
import { refusePassword } from '../users/single-sign-on.ts'
import { auditedUser } from '../users/user.ts'
import { findGuest, type Guest } from './find-guest.ts'
import { joinAsInvited } from './join-as-invited.ts'
import { lockInvitation } from './queries.ts'
import { getOpenInvitation, refuseClosed } from './view-invitation.ts'

interface Acceptance {
  token: string
  name?: string | undefined
  password: string
  userAgent: string
}

/** Makes the link's holder a member and starts a session, unless a second factor has to prove it. Throws `link-expired` and `unauthenticated`. */
export async function acceptInvitation(db: Db, origin: ChangeOrigin, acceptance: Acceptance) {
  const { token, name, password, userAgent } = acceptance
  const { invitation, project } = await getOpenInvitation(db, { token, now: origin.now })
  // Checking a password is slow, so it happens before the transaction takes locks.
  const guest = await findGuest(db, { email: invitation.email, name, password, now: origin.now })

  const actor = { kind: 'user', id: guest.user.id, name: guest.user.name } as const
  return joinProject(
    db,
    { ...origin, actor },
    { project, tokenHash: invitation.tokenHash, invitationId: invitation.id, guest, userAgent },
  )
}

interface Joining {
  project: ProjectRow
  invitationId: string
  /** Of the link that was opened; it may have been replaced since. */
  tokenHash: string
  guest: Guest
  userAgent: string
}

const joinProject = change(async (context, joining: Joining) => {
  const { db, now } = context
  const { project, guest, userAgent } = joining
  const before = await lockOpenInvitation(context, joining)
  await refusePassword(db, guest.user)
  const account = await admit(context, guest)
  const joined = await joinAsInvited(context, { project, user: account.user, invitation: before })
  // The password alone does not sign in to an account with a second factor.
  const session = account.user.secondFactor
    ? null
    : await beginSession(db, { userId: account.user.id, userAgent, now })

  return {
    reply: { user: { ...account.user, lastSeenAt: now }, project: project.key, session },
    changes: [...account.changes, ...joined],
  }
})

async function lockOpenInvitation({ db, now }: ChangeContext, { project, invitationId, tokenHash }: Joining) {
  await lockProject(db, project.id)
  const invitation = await lockInvitation(db, { projectId: project.id, id: invitationId })
  if (invitation?.tokenHash !== tokenHash) {
    throw problem('link-expired', 'The invitation was replaced. Ask for the new link.')
  }
  refuseClosed(invitation, now)
  return invitation
}

async function admit(
  { db }: ChangeContext,
  { user, isNew }: Guest,
): Promise<{ user: UserRow; changes: EntityChange[] }> {
  if (!isNew) {
    const found = await findUser(db, user.id)
    if (!found || found.disabledAt) throw problem('unauthenticated')
    return { user: found, changes: [] }
  }

  const [row] = await db.insert(users).values(user).onConflictDoNothing().returning()
  if (!row) {
    throw problem('unauthenticated', 'This address has an account now. Accept with its password.')
  }
  return {
    user: row,
    changes: [
      {
        action: 'user.create',
        entity: { kind: 'user', id: row.id, name: row.email },
        after: auditedUser(row),
      },
    ],
  }
}

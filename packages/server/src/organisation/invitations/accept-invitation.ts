import { problem } from '@telltale/core/errors'
import { isAtLeast, type ProjectRole } from '@telltale/core/permissions'
import { eq } from 'drizzle-orm'
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
import { invitations } from '../../platform/engines/postgres/schema.ts'
import { insertMember } from '../members/add-member.ts'
import { lockMember } from '../members/queries.ts'
import { setMemberRole } from '../members/update-member.ts'
import { findUser } from '../users/queries.ts'
import { refusePassword } from '../users/single-sign-on.ts'
import { auditedUser } from '../users/user.ts'
import { findGuest, type Guest } from './find-guest.ts'
import { auditedInvitation } from './invitation.ts'
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
  const membership = await grantRole(context, { project, user: account.user, role: before.role })

  const after = { ...before, acceptedAt: now }
  await db.update(invitations).set({ acceptedAt: now }).where(eq(invitations.id, before.id))
  // The password alone does not sign in to an account with a second factor.
  const session = account.user.secondFactor
    ? null
    : await beginSession(db, { userId: account.user.id, userAgent, now })

  const accepted: EntityChange = {
    action: 'invitation.accept',
    entity: { kind: 'invitation', id: before.id, name: before.email },
    project,
    before: auditedInvitation(before, now),
    after: auditedInvitation(after, now),
  }
  return {
    reply: { user: { ...account.user, lastSeenAt: now }, project: project.key, session },
    changes: [...account.changes, ...membership, accepted],
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

/** A user who has become a member meanwhile keeps the higher role. */
async function grantRole(
  context: ChangeContext,
  { project, user, role }: { project: ProjectRow; user: UserRow; role: ProjectRole },
): Promise<EntityChange[]> {
  const member = await lockMember(context.db, project.id, user.id)
  if (!member) return (await insertMember(context, project, { user, role })).changes

  const { membership } = member
  if (membership.managed || isAtLeast(membership.role, role)) return []
  return (await setMemberRole(context, { project, member, role })).changes
}

import { eq } from 'drizzle-orm'
import { findPermissions } from '../../access/find-rights.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { invitations } from '../../platform/engines/postgres/schema.ts'
import { insertMember } from '../members/add-member.ts'
import { lockMember } from '../members/queries.ts'
import { setMemberRole } from '../members/update-member.ts'
import { auditedInvitation } from './invitation.ts'
import type { InvitationRow } from './queries.ts'

interface Joining {
  project: { id: string; key: string }
  user: UserRow
  /** Locked, and open. */
  invitation: InvitationRow
}

/** Accepts an invitation for its user. Throws `in-use` if the project is full. */
export async function joinAsInvited(
  context: ChangeContext,
  { project, user, invitation }: Joining,
): Promise<EntityChange[]> {
  const { db, now } = context
  const membership = await grantRole(context, { project, user, role: invitation.role })
  await db.update(invitations).set({ acceptedAt: now }).where(eq(invitations.id, invitation.id))
  const accepted: EntityChange = {
    action: 'invitation.accept',
    entity: { kind: 'invitation', id: invitation.id, name: invitation.email },
    project,
    before: auditedInvitation(invitation, now),
    after: auditedInvitation({ ...invitation, acceptedAt: now }, now),
  }
  return [...membership, accepted]
}

/** A user who has become a member meanwhile keeps a role that allows as much. */
async function grantRole(
  context: ChangeContext,
  { project, user, role }: Omit<Joining, 'invitation'> & { role: string },
): Promise<EntityChange[]> {
  const member = await lockMember(context.db, project.id, user.id)
  if (!member) return (await insertMember(context, project, { user, role })).changes

  const { membership } = member
  const held = await findPermissions(context.db, { projectId: project.id, role: membership.role })
  const invited = await findPermissions(context.db, { projectId: project.id, role })
  if (membership.managed || [...invited].every((permission) => held.has(permission))) return []
  // An invitation is a role by hand: groups do not take it away again.
  return setMemberRole(context, { project, member, role, roleFrom: null })
}

import { Problem } from '@telltale/core/errors'
import { lockProject } from '../../access/find-project.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { stateOf } from './invitation.ts'
import { joinAsInvited } from './join-as-invited.ts'
import { findPendingInvitations, lockInvitation } from './queries.ts'

/** Accepts the open invitations to the address of a user whose provider has verified it: that proves as much as their links. */
export async function acceptByAddress(context: ChangeContext, user: UserRow): Promise<EntityChange[]> {
  const { db, now } = context
  const changes: EntityChange[] = []
  for (const { id, project } of await findPendingInvitations(db, { email: user.email, now })) {
    await lockProject(db, project.id)
    const invitation = await lockInvitation(db, { projectId: project.id, id })
    if (invitation === undefined || stateOf(invitation, now) !== 'pending') continue
    try {
      changes.push(...(await joinAsInvited(context, { project, user, invitation })))
    } catch (error) {
      // A full project is no reason to refuse the sign-in: the invitation stays open.
      if (!(error instanceof Problem) || error.code !== 'in-use') throw error
    }
  }
  return changes
}

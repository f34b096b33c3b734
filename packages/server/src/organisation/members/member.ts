import type { Member } from '@telltale/core/contract/members'
import { problem } from '@telltale/core/errors'
import type { Static } from 'typebox'
import type { MembershipRow } from '../../access/find-membership.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { EntityChange } from '../../platform/engines/postgres/change.ts'
import type { MemberRow } from './queries.ts'

/** A member as the API returns it. */
export function toMember({ membership, user }: MemberRow): Static<typeof Member> {
  return {
    user: {
      id: user.id,
      email: user.email,
      name: user.name,
      disabledAt: user.disabledAt?.toISOString() ?? null,
      lastSeenAt: user.lastSeenAt?.toISOString() ?? null,
    },
    role: membership.role,
    createdAt: membership.createdAt.toISOString(),
    managed: membership.managed,
    byGroup: membership.roleFrom !== null,
  }
}

/** Roles that follow from groups are decided at the provider. */
export function refuseRoleOfGroups({ roleFrom }: MembershipRow): void {
  if (roleFrom === null) return
  throw problem(
    'wrong-state',
    'The role follows from a group of the sign-in provider. Change the groups there, or the roles of the provider.',
  )
}

/** The audit entry for a member who was added, changed role or left. */
export function memberChange(
  verb: 'create' | 'update' | 'delete',
  { project, user, before, after }: MemberStep,
): EntityChange {
  return {
    action: `member.${verb}`,
    entity: { kind: 'member', id: user.id, name: user.email },
    project,
    ...(before ? { before: auditedMembership(before) } : {}),
    ...(after ? { after: auditedMembership(after) } : {}),
  }
}

interface MemberStep {
  project: { id: string; key: string }
  user: UserRow
  before?: MembershipRow
  after?: MembershipRow
}

function auditedMembership({ role }: MembershipRow): object {
  return { role }
}

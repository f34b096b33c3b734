import type { User } from '@telltale/core/contract/users'
import type { Static } from 'typebox'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'

/** A user as the API returns it. */
export function toUser(row: UserRow): Static<typeof User> {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    disabledAt: row.disabledAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    secondFactor: row.secondFactor,
    managed: row.managed,
  }
}

/** The fields of a user in the audit log. */
export function auditedUser({ email, name, role, disabledAt }: UserRow): object {
  return { email, name, role, disabled: disabledAt !== null }
}

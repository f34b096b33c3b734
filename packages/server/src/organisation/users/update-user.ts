import { problem } from '@telltale/core/errors'
import type { InstallationRole } from '@telltale/core/permissions'
import { eq } from 'drizzle-orm'
import { endSessions } from '../../access/sessions.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { countOtherOwners, lockOwners, lockUser } from './queries.ts'
import { refuseBreakGlass } from './single-sign-on.ts'
import { auditedUser, toUser } from './user.ts'

interface UserChange {
  id: string
  name?: string | undefined
  role?: InstallationRole | undefined
  disabled?: boolean | undefined
}

export const updateUser = change(async ({ db, now }, { id, name, role, disabled }: UserChange) => {
  await lockOwners(db)
  const before = await lockUser(db, id)
  if (!before) throw problem('not-found')
  if (before.managed) throw problem('managed')
  if (role !== undefined && role !== before.role && before.roleFrom !== null) {
    throw problem(
      'wrong-state',
      'A group of the sign-in provider makes this user an owner. Change the groups there, or the roles of the provider.',
    )
  }

  const wasDisabled = before.disabledAt !== null
  const after = {
    ...before,
    name: name ?? before.name,
    role: role ?? before.role,
    disabledAt: (disabled ?? wasDisabled) ? (before.disabledAt ?? now) : null,
  }
  const stepsDown = before.role === 'owner' && (after.role !== 'owner' || after.disabledAt)
  if (stepsDown && (await countOtherOwners(db, id)) === 0) throw problem('last-owner')
  if (stepsDown) await refuseBreakGlass(db, id)

  await db
    .update(users)
    .set({ name: after.name, role: after.role, disabledAt: after.disabledAt })
    .where(eq(users.id, id))
  if (after.disabledAt) await endSessions(db, id)
  return {
    reply: toUser(after),
    changes: [
      {
        action: 'user.update',
        entity: { kind: 'user', id, name: before.email },
        before: auditedUser(before),
        after: auditedUser(after),
      },
    ],
  }
})

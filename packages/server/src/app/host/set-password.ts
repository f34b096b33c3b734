import { and, eq, isNull } from 'drizzle-orm'
import { storePassword } from '../../organisation/users/change-password.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { passwordResets } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'

type NewPassword = { user: UserRow; password: string }

/** Sets the password without a link, and ends what the old one and earlier links allow. */
export const setPassword = change(async ({ db }, { user, password }: NewPassword) => {
  await storePassword(db, { user, password, pointer: '/password' })
  await db
    .delete(passwordResets)
    .where(and(eq(passwordResets.userId, user.id), isNull(passwordResets.usedAt)))
  return {
    reply: null,
    changes: [{ action: 'user.reset-password', entity: { kind: 'user', id: user.id, name: user.email } }],
  }
})

import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { verifyPassword, wrongPassword } from '../users/password.ts'
import { findUserByEmail, lockUser } from '../users/queries.ts'
import { auditedUser, toUser } from '../users/user.ts'

interface AccountChange {
  userId: string
  name?: string | undefined
  email?: string | undefined
  password?: string | undefined
  mentionMail?: boolean | undefined
}

/**
 * Changes the caller's name, e-mail address or notifications. The address is used to sign in, so changing it requires the
 * password.
 */
export const updateAccount = change(async ({ db }, { userId, password, ...given }: AccountChange) => {
  const before = await lockUser(db, userId)
  if (!before) throw problem('not-found')
  if (before.managed && (given.name !== undefined || given.email !== undefined)) throw problem('managed')

  const after = {
    ...before,
    name: given.name ?? before.name,
    email: given.email ?? before.email,
    mentionMail: given.mentionMail ?? before.mentionMail,
  }
  if (after.email !== before.email) {
    if (!(await verifyPassword(before.passwordHash, password ?? ''))) {
      throw problem('invalid-request', { errors: [{ pointer: '/password', message: wrongPassword }] })
    }
    const holder = await findUserByEmail(db, after.email)
    if (holder && holder.id !== userId)
      throw problem('already-exists', 'Another account has this e-mail address.')
  }

  const { mentionMail } = after
  await db
    .update(users)
    .set({ name: after.name, email: after.email, mentionMail })
    .where(eq(users.id, userId))
  return {
    reply: toUser(after),
    changes: [
      {
        action: 'user.update',
        entity: { kind: 'user', id: userId, name: after.email },
        before: auditedUser(before),
        after: auditedUser(after),
      },
    ],
  }
})

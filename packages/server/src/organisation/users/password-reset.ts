import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, eq, isNull } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { passwordResets, users } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { hashSecret, newSecret, tokenOfLink } from '../../platform/http/secret.ts'
import { refuseManagedPassword, storePassword } from './change-password.ts'

const resetTokenPrefix = 'ttp_'

interface PasswordResetLink {
  /**
   * To be appended to the address of the installation. The token is in the fragment (`#`), which appears in no
   * server log.
   */
  path: string
  expiresAt: Date
}

/** Issues a link for setting a new password; earlier links stop working. */
export const issuePasswordReset = change(async ({ db, now }, { user }: { user: UserRow }) => {
  const token = newSecret(resetTokenPrefix)
  const expiresAt = new Date(now.getTime() + limits.passwordResetLifetime)
  await db
    .delete(passwordResets)
    .where(and(eq(passwordResets.userId, user.id), isNull(passwordResets.usedAt)))
  await db
    .insert(passwordResets)
    .values({ id: newId(), userId: user.id, tokenHash: hashSecret(token), createdAt: now, expiresAt })

  const link: PasswordResetLink = { path: `/password-reset#${token}`, expiresAt }
  return {
    reply: link,
    changes: [
      { action: 'user.issue-password-reset', entity: { kind: 'user', id: user.id, name: user.email } },
    ],
  }
})

/** Sets a new password with the token of a link, which works only once. */
export const resetPassword = change(
  async ({ db, now }, { token, password }: { token: string; password: string }) => {
    const [found] = await db
      .select({ reset: passwordResets, user: users })
      .from(passwordResets)
      .innerJoin(users, eq(users.id, passwordResets.userId))
      .where(eq(passwordResets.tokenHash, hashSecret(tokenOfLink(token))))
      .for('update')
    if (!found || found.reset.usedAt || found.reset.expiresAt <= now || found.user.disabledAt) {
      throw problem('link-expired', 'This link was already used, replaced by a newer one, or has expired.')
    }

    const { reset, user } = found
    refuseManagedPassword(user)
    await storePassword(db, { user, password, pointer: '/password' })
    await db.update(passwordResets).set({ usedAt: now }).where(eq(passwordResets.id, reset.id))
    return {
      reply: null,
      changes: [{ action: 'user.reset-password', entity: { kind: 'user', id: user.id, name: user.email } }],
    }
  },
)

import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { endSessions } from '../../access/sessions.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { hashPassword, passwordFault, verifyPassword, wrongPassword } from './password.ts'

interface PasswordChange {
  user: UserRow
  /** The current session, which continues. */
  sessionId: string
  current: string
  next: string
}

export const changePassword = change(async ({ db }, { user, sessionId, current, next }: PasswordChange) => {
  refuseManagedPassword(user)
  if (!(await verifyPassword(user.passwordHash, current))) {
    throw problem('invalid-request', { errors: [{ pointer: '/current', message: wrongPassword }] })
  }
  await storePassword(db, { user, password: next, pointer: '/next', keptSessionId: sessionId })

  return {
    reply: null,
    changes: [{ action: 'user.change-password', entity: { kind: 'user', id: user.id, name: user.email } }],
  }
})

/** The setup file would restore its own password at the next start. */
export function refuseManagedPassword(user: UserRow): void {
  if (user.managed) throw problem('managed')
}

/** Validates and stores a new password, and ends the sessions started with the old one. */
export async function storePassword(
  db: Queryable,
  {
    user,
    password,
    pointer,
    keptSessionId,
  }: { user: UserRow; password: string; pointer: string; keptSessionId?: string },
): Promise<void> {
  await refuseEasyPassword(password, { email: user.email, pointer })
  await db
    .update(users)
    .set({ passwordHash: await hashPassword(password) })
    .where(eq(users.id, user.id))
  await endSessions(db, user.id, keptSessionId)
}

export async function refuseEasyPassword(
  password: string,
  { email, pointer }: { email: string; pointer: string },
): Promise<void> {
  const message = await passwordFault(password, email)
  if (message) throw problem('invalid-request', { errors: [{ pointer, message }] })
}

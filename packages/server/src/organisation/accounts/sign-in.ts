import { problem } from '@telltale/core/errors'
import { beginSession } from '../../access/sessions.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { verifyNothing, verifyPassword } from '../users/password.ts'
import { findUserByEmail } from '../users/queries.ts'

/** Returns the user, or throws `unauthenticated` with the same message for every cause. */
export async function checkPassword(
  db: Db,
  credentials: { email: string; password: string },
): Promise<UserRow> {
  const user = await findUserByEmail(db, credentials.email)
  const isRight = user
    ? await verifyPassword(user.passwordHash, credentials.password)
    : await verifyNothing(credentials.password)
  if (!user || !isRight || user.disabledAt) {
    throw problem('unauthenticated', 'Wrong e-mail address or password.')
  }
  return user
}

interface SignIn {
  user: UserRow
  userAgent: string
  /** The second factor that was checked as well. */
  confirmedBy?: string
}

/** Starts a session for a user whose password or passkey was checked. */
export const signIn = change(async ({ db, now }, { user, userAgent, confirmedBy }: SignIn) => ({
  reply: await beginSession(db, {
    ...{ userId: user.id, userAgent, now },
    confirmedAt: confirmedBy === undefined ? null : now,
  }),
  changes: [
    {
      action: 'session.begin',
      entity: { kind: 'user', id: user.id, name: user.email },
      ...(confirmedBy !== undefined && { after: { by: confirmedBy } }),
    },
  ],
}))

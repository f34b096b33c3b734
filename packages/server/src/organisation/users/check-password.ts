import { problem } from '@telltale/core/errors'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { verifyNothing, verifyPassword } from './password.ts'
import { findUserByEmail } from './queries.ts'

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

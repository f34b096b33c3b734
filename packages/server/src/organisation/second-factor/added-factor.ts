import { eq } from 'drizzle-orm'
import { endSessions } from '../../access/sessions.ts'
import { loginSessions, type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { findPasskeys } from './passkeys.ts'
import { countRecoveryCodes, issueRecoveryCodes, removeRecoveryCodes } from './recovery-codes.ts'

interface Added {
  user: UserRow
  /** The session that added it: it is confirmed, and all others end. */
  sessionId: string
  now: Date
}

/** What a new second factor brings about. Resolves to recovery codes, if the user has none. */
export async function noteAddedFactor(
  db: Queryable,
  { user, sessionId, now }: Added,
): Promise<string[] | null> {
  await db.update(users).set({ secondFactor: true }).where(eq(users.id, user.id))
  await db.update(loginSessions).set({ confirmedAt: now }).where(eq(loginSessions.id, sessionId))
  await endSessions(db, user.id, sessionId)
  return (await countRecoveryCodes(db, user.id)) > 0 ? null : issueRecoveryCodes(db, user.id)
}

/** After one was removed: with the last, recovery codes go as well. */
export async function noteRemovedFactor(db: Queryable, user: UserRow): Promise<void> {
  const isLeft = user.totpConfirmedAt !== null || (await findPasskeys(db, user.id)).length > 0
  if (isLeft) return
  await db.update(users).set({ secondFactor: false }).where(eq(users.id, user.id))
  await removeRecoveryCodes(db, user.id)
}

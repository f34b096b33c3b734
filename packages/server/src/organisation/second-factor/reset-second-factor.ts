import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { endSessions } from '../../access/sessions.ts'
import { noSecondFactor, users } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { passkeys } from '../../platform/engines/postgres/second-factor-schema.ts'
import { lockUser } from '../users/queries.ts'
import { changeOf } from './authenticator-app.ts'
import { removeRecoveryCodes } from './recovery-codes.ts'

/** For users who lost theirs: they sign in with the password alone, and add a new one. */
export const resetSecondFactor = change(async ({ db }, { id }: { id: string }) => {
  const user = await lockUser(db, id)
  if (user === undefined) throw problem('not-found')
  await db.update(users).set(noSecondFactor).where(eq(users.id, id))
  await db.delete(passkeys).where(eq(passkeys.userId, id))
  await removeRecoveryCodes(db, id)
  await endSessions(db, id)
  return { reply: null, changes: [changeOf(user, 'reset')] }
})

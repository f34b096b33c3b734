import { endSessions } from '../../access/sessions.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'

interface SessionsOfUser {
  user: UserRow
  /** This one goes on. */
  keptId?: string | undefined
}

/** Ends the sessions of a user on all devices. */
export const endUserSessions = change(async ({ db }, { user, keptId }: SessionsOfUser) => {
  const ended = await endSessions(db, user.id, keptId)
  const entity = { kind: 'user', id: user.id, name: user.email }
  return { reply: { ended }, changes: ended === 0 ? [] : [{ action: 'session.end', entity }] }
})

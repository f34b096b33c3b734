import { problem } from '@telltale/core/errors'
import { and, eq } from 'drizzle-orm'
import { endSessionById } from '../../access/sessions.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { loginSessions } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'

interface SessionOfUser {
  user: UserRow
  sessionId: string
}

export const signOut = change(async ({ db }, { user, sessionId }: SessionOfUser) => {
  await endSessionById(db, sessionId)
  return { reply: null, changes: [ended(user)] }
})

/** Ends one of the user's sessions on any device. */
export const endSession = change(async ({ db }, { user, sessionId }: SessionOfUser) => {
  const deleted = await db
    .delete(loginSessions)
    .where(and(eq(loginSessions.id, sessionId), eq(loginSessions.userId, user.id)))
    .returning({ id: loginSessions.id })
  if (deleted.length === 0) throw problem('not-found')

  return { reply: null, changes: [ended(user)] }
})

function ended(user: UserRow) {
  return { action: 'session.end', entity: { kind: 'user', id: user.id, name: user.email } } as const
}

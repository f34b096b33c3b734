import { beginSession } from '../../access/sessions.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { refusePassword } from './single-sign-on.ts'

interface SignIn {
  user: UserRow
  userAgent: string
  /** What was checked besides a password, or instead of one: a second factor, or the key of a provider. */
  by?: string
  /** When it was checked. */
  confirmedAt?: Date | null
  isAtProvider?: boolean
  maxAge?: number | undefined
}

/** Starts a session for a user who proved to be one. Throws `single-sign-on-required`. */
export const signIn = change(async ({ db, now }, { user, userAgent, ...proven }: SignIn) => {
  const { by, confirmedAt = null, isAtProvider = false, maxAge } = proven
  if (!isAtProvider) await refusePassword(db, user)
  return {
    reply: await beginSession(db, { userId: user.id, userAgent, now, confirmedAt, maxAge }),
    changes: [
      {
        action: 'session.begin',
        entity: { kind: 'user', id: user.id, name: user.email },
        ...(by !== undefined && { after: { by } }),
      },
    ],
  }
})

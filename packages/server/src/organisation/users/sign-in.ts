import { beginSession } from '../../access/sessions.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'

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

import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import type { Person } from '../../access/caller.ts'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { verifyPassword, wrongPassword } from '../users/password.ts'
import { lockUser } from '../users/queries.ts'
import { noteAddedFactor, noteRemovedFactor } from './added-factor.ts'
import { newTotpSecret, stepOfCode, totpUrl } from './totp.ts'

/** The secret replaces one that was never confirmed. */
export const startTotp = change(
  async ({ db }, { caller, password }: { caller: Person; password: string }) => {
    const user = await lockAccount(db, caller)
    if (user.totpConfirmedAt !== null)
      throw problem('already-exists', 'The account already has an authenticator app.')
    await requirePassword(user, password)
    const secret = newTotpSecret()
    await db.update(users).set({ totpSecret: secret, totpLastStep: null }).where(eq(users.id, user.id))
    return { reply: { secret, url: totpUrl(secret, user.email) }, changes: [] }
  },
)

export const confirmTotp = change(async ({ db, now }, { caller, code }: { caller: Person; code: string }) => {
  const user = await lockAccount(db, caller)
  if (user.totpConfirmedAt !== null) throw problem('already-exists')
  if (user.totpSecret === null) throw problem('not-found', 'Start with a new secret.')
  const step = stepOfCode(user.totpSecret, code, { now, lastStep: null })
  if (step === undefined) {
    const message = 'The code is not valid. Check the clock of your device.'
    throw problem('invalid-request', { errors: [{ pointer: '/code', message }] })
  }
  await db.update(users).set({ totpConfirmedAt: now, totpLastStep: step }).where(eq(users.id, user.id))
  const codes = await noteAddedFactor(db, { user, sessionId: caller.sessionId, now })
  return { reply: { recoveryCodes: codes }, changes: [changeOf(user, 'add-app')] }
})

export const removeTotp = change(async ({ db }, { caller }: { caller: Person }) => {
  const user = await lockAccount(db, caller)
  if (user.totpConfirmedAt === null) throw problem('not-found')
  const without = { totpSecret: null, totpConfirmedAt: null, totpLastStep: null }
  await db.update(users).set(without).where(eq(users.id, user.id))
  await noteRemovedFactor(db, { ...user, ...without })
  return { reply: null, changes: [changeOf(user, 'remove-app')] }
})

export async function lockAccount(db: Queryable, { user }: Person): Promise<UserRow> {
  const locked = await lockUser(db, user.id)
  if (locked === undefined) throw problem('not-found')
  return locked
}

/** A stolen session alone adds no second factor. */
export async function requirePassword(user: UserRow, password: string): Promise<void> {
  if (await verifyPassword(user.passwordHash, password)) return
  throw problem('invalid-request', { errors: [{ pointer: '/password', message: wrongPassword }] })
}

export const changeOf = ({ id, email }: UserRow, action: string): EntityChange => ({
  action: `second-factor.${action}`,
  entity: { kind: 'user', id, name: email },
})

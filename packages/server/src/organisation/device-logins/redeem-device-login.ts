import { problem } from '@telltale/core/errors'
import { and, eq, gt } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeOrigin, change } from '../../platform/engines/postgres/change.ts'
import { deviceLogins } from '../../platform/engines/postgres/device-login-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { hashSecret } from '../../platform/http/secret.ts'
import { createToken } from '../tokens/create-token.ts'

type Redeemed = { state: 'waiting' } | { state: 'refused' } | { state: 'approved'; token: string }

/** The token is created now, for who approved it, so that its value is never stored. */
export async function redeemDeviceLogin(
  db: Db,
  origin: ChangeOrigin,
  { deviceCode }: { deviceCode: string },
): Promise<Redeemed> {
  const deviceHash = hashSecret(deviceCode)
  const [found] = await db
    .select({ login: deviceLogins, user: users })
    .from(deviceLogins)
    .leftJoin(users, eq(users.id, deviceLogins.userId))
    .where(and(eq(deviceLogins.deviceHash, deviceHash), gt(deviceLogins.expiresAt, origin.now)))
  if (found === undefined) throw problem('link-expired', 'This sign-in has expired. Start again.')
  const { login, user } = found
  if (login.state === 'waiting' || user === null) return { state: 'waiting' }
  if (login.state === 'refused' || user.disabledAt !== null) return { state: 'refused' }
  const actor = { kind: 'user', id: user.id, name: user.name } as const
  return createOnce(db, { ...origin, actor }, { login, user })
}

interface Approved {
  login: typeof deviceLogins.$inferSelect
  user: typeof users.$inferSelect
}

const createOnce = change(async (context, { login, user }: Approved) => {
  const deleted = await context.db.delete(deviceLogins).where(eq(deviceLogins.id, login.id)).returning()
  // Another request of the device was faster.
  if (deleted.length === 0 || login.role === null)
    throw problem('link-expired', 'This sign-in was already used. Start again.')
  const { reply, changes } = await createToken.verb(context, {
    ...{ owner: user, name: login.name, role: login.role },
    ...(login.project !== null && { project: login.project }),
    ...(login.tokenExpiresAt !== null && { expiresAt: login.tokenExpiresAt.toISOString() }),
  })
  return { reply: { state: 'approved' as const, token: reply.value }, changes }
})

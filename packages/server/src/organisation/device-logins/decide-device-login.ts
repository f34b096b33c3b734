import { eq } from 'drizzle-orm'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { deviceLogins } from '../../platform/engines/postgres/device-login-schema.ts'
import { checkTokenDraft } from '../tokens/create-token.ts'
import { type DeviceLoginRow, getWaiting } from './queries.ts'

interface Approval {
  user: UserRow
  code: string
  project?: string | undefined
  role: string
  expiresAt?: string | undefined
}

/** Throws what the creation of the token would throw: the device is not there to read it. */
export const approveDeviceLogin = change(async ({ db, now }, { user, code, ...given }: Approval) => {
  const row = await getWaiting(db, code, now)
  const { name } = row
  const { expiresAt } = await checkTokenDraft({ db, now }, { owner: user, name, ...given })
  await db
    .update(deviceLogins)
    .set({
      ...{ state: 'approved' as const, userId: user.id, role: given.role },
      ...{ project: given.project ?? null, tokenExpiresAt: expiresAt },
    })
    .where(eq(deviceLogins.id, row.id))
  return { reply: null, changes: [decisionOf(row, 'approve')] }
})

export const refuseDeviceLogin = change(
  async ({ db, now }, { user, code }: Pick<Approval, 'user' | 'code'>) => {
    const row = await getWaiting(db, code, now)
    await db
      .update(deviceLogins)
      .set({ state: 'refused', userId: user.id })
      .where(eq(deviceLogins.id, row.id))
    return { reply: null, changes: [decisionOf(row, 'refuse')] }
  },
)

const decisionOf = ({ id, name }: DeviceLoginRow, action: 'approve' | 'refuse'): EntityChange => ({
  action: `device-login.${action}`,
  entity: { kind: 'device-login', id, name },
})

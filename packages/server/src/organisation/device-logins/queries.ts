import { problem } from '@telltale/core/errors'
import { and, eq, gt } from 'drizzle-orm'
import { deviceLogins } from '../../platform/engines/postgres/device-login-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export type DeviceLoginRow = typeof deviceLogins.$inferSelect

/** Locks the row. Throws `not-found` for a code that is unknown, expired or decided. */
export async function getWaiting(db: Queryable, code: string, now: Date): Promise<DeviceLoginRow> {
  const { userCode, state, expiresAt } = deviceLogins
  const [row] = await db
    .select()
    .from(deviceLogins)
    .where(and(eq(userCode, code), eq(state, 'waiting'), gt(expiresAt, now)))
    .for('update')
  if (row === undefined)
    throw problem('not-found', 'No device waits with this code. Codes work for ten minutes.')
  return row
}

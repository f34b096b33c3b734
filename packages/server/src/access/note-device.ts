// The devices of an account: browser and system. A sign-in with a new one is mailed to the user, except the first.

import { deviceText } from '@telltale/core/browser-text'
import { limits } from '@telltale/core/limits'
import { eq } from 'drizzle-orm'
import { knownDevices } from '../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../platform/engines/postgres/open.ts'

interface DeviceUse {
  userId: string
  userAgent: string
  now: Date
}

/** In the transaction of the sign-in, so that none is missed. The mail follows. */
export async function noteDevice(db: Queryable, { userId, userAgent, now }: DeviceUse): Promise<void> {
  const known = await db.$count(knownDevices, eq(knownDevices.userId, userId))
  // Above the limit, an account signs in with made-up user agents: nothing more is remembered or mailed.
  if (known >= limits.devicesPerUser) return
  await db
    .insert(knownDevices)
    .values({ userId, device: deviceText(userAgent), firstAt: now, mailDue: known > 0 })
    .onConflictDoNothing()
}

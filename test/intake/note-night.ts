// A cleanup of the day before, as an installation has one whose clock was right all the time.

import { v4 as newLease } from 'uuid'
import { nightOf } from '../../packages/server/src/intake/retention/night-of.ts'
import type { Db } from '../../packages/server/src/platform/engines/postgres/open.ts'
import { retentionNights } from '../../packages/server/src/platform/engines/postgres/retention-schema.ts'

export async function noteNightBefore(db: Db, now: Date): Promise<void> {
  const startedAt = new Date(now.getTime() - 24 * 3_600_000)
  const night = nightOf(startedAt)
  const row = { startedAt, endedAt: startedAt, leaseUntil: startedAt, lease: newLease() }
  await db
    .insert(retentionNights)
    .values({ night, state: 'done', ...row })
    .onConflictDoNothing()
}

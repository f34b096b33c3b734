// A cleanup of the day before, as an installation has one whose clock was right all the time.

import { v4 as newLease } from 'uuid'
import type { Db } from '../../packages/server/src/platform/engines/postgres/open.ts'
import { retentionNights } from '../../packages/server/src/platform/engines/postgres/retention-schema.ts'

export async function noteNightBefore(db: Db, now: Date): Promise<void> {
  // Two days: in the first hours of a day, the night of the day before is still to come.
  const startedAt = new Date(now.getTime() - 48 * 3_600_000)
  const night = startedAt.toISOString().slice(0, 10)
  const row = { startedAt, endedAt: startedAt, leaseUntil: startedAt, lease: newLease() }
  await db
    .insert(retentionNights)
    .values({ night, state: 'done', ...row })
    .onConflictDoNothing()
}

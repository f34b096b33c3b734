// Whether the clock can be trusted when data is deleted by age. With a clock that is a year ahead all data looks
// expired, and what is deleted stays deleted when the clock is corrected. Previous nights limit how much time can have
// passed: after a gap, a few nights run without deletion and Health shows the reason, so that there is time to correct
// the clock.

import { limits } from '@telltale/core/limits'
import { and, desc, lte, ne } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { retentionNights } from '../../platform/engines/postgres/retention-schema.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { nightOf } from './night-of.ts'

interface PastNight {
  startedAt: Date
  state: string
}

export interface Past {
  /** The newest first. */
  nights: readonly PastNight[]
  installedAt: Date
}

const day = 86_400_000

export function isClockTrusted(now: Date, { nights, installedAt }: Past): boolean {
  let later = now.getTime()
  let held = 0
  for (const { startedAt, state } of nights) {
    if (later - startedAt.getTime() > limits.retentionClockJump) return false
    if (state !== 'held') return true
    held += 1
    if (held >= limits.retentionNightsHeld) return true
    later = startedAt.getTime()
  }
  return later - installedAt.getTime() <= limits.retentionClockJump
}

/** Checked before a night, and before anything else is deleted by age. */
export async function findClockTrust(db: Queryable, now: Date): Promise<boolean> {
  const nights = await db
    .select({ startedAt: retentionNights.startedAt, state: retentionNights.state })
    .from(retentionNights)
    .where(
      and(
        ne(retentionNights.night, nightOf(now)),
        // A night in the future is from a clock that was corrected since.
        lte(retentionNights.startedAt, new Date(now.getTime() + day)),
      ),
    )
    .orderBy(desc(retentionNights.startedAt))
    .limit(limits.retentionNightsHeld + 1)
  const [row] = await db.select({ installedAt: installation.createdAt }).from(installation)
  return isClockTrusted(now, { nights, installedAt: row?.installedAt ?? now })
}

/** Why nothing is deleted by age at present; undefined when deletion works. */
export async function findHeldReason(db: Queryable, now: Date): Promise<string | undefined> {
  const [newest] = await db
    .select({ startedAt: retentionNights.startedAt, state: retentionNights.state })
    .from(retentionNights)
    .where(lte(retentionNights.startedAt, new Date(now.getTime() + day)))
    .orderBy(desc(retentionNights.startedAt))
    .limit(1)
  if (newest?.state !== 'held') return undefined
  return heldReason
}

export const heldReason = `the clock is more than ${limits.retentionClockJump / day} days past the last cleanup: expired data is kept for ${limits.retentionNightsHeld} nights. Correct the clock if it is wrong`

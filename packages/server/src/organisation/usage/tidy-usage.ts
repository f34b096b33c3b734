import { limits } from '@telltale/core/limits'
import { lt } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { usageSamplings } from '../../platform/engines/postgres/quota-schema.ts'
import {
  diskSamples,
  usageDays,
  usageHours,
  usageSessions,
} from '../../platform/engines/postgres/usage-schema.ts'
import { dayText } from './usage-days.ts'

const dayLength = 86_400_000

/** Deletes what is past its time. */
export async function tidyUsage(db: Db, now: Date): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * dayLength)
  await db
    .delete(usageSessions)
    .where(lt(usageSessions.at, new Date(now.getTime() - limits.usageSessionWindow)))
  await db.delete(usageHours).where(lt(usageHours.hour, before(limits.usageHoursKept)))
  const oldest = dayText(before(limits.usageDaysKept))
  await db.delete(usageDays).where(lt(usageDays.day, oldest))
  await db.delete(usageSamplings).where(lt(usageSamplings.endedAt, before(limits.usageDaysKept)))
  await db.delete(diskSamples).where(lt(diskSamples.day, oldest))
}

import { recordingLimits } from '@telltale/core/recording-limits'
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  type RecordingPeak,
  recordingPlans,
  type StoredPlan,
} from '../../platform/engines/postgres/recording-schema.ts'

export type PlanRow = typeof recordingPlans.$inferSelect

const { orderPlanInterval } = recordingLimits
/** Of a dead server. */
const lease = 10 * orderPlanInterval.value

export async function findPlans(db: Queryable): Promise<PlanRow[]> {
  return db.select().from(recordingPlans)
}

export async function beginPlan(db: Queryable, environmentId: string, now: Date): Promise<void> {
  await db.insert(recordingPlans).values({ environmentId, nextAt: now }).onConflictDoNothing()
}

/** Undefined if it is not due, or another server plans it. */
export async function claimPlan(
  db: Queryable,
  environmentId: string,
  now: Date,
): Promise<PlanRow | undefined> {
  const [row] = await db
    .update(recordingPlans)
    .set({ leasedUntil: new Date(now.getTime() + lease) })
    .where(
      and(
        eq(recordingPlans.environmentId, environmentId),
        lte(recordingPlans.nextAt, now),
        or(isNull(recordingPlans.leasedUntil), lte(recordingPlans.leasedUntil, now)),
      ),
    )
    .returning()
  return row
}

export async function keepPlan(
  db: Queryable,
  environmentId: string,
  set: { plan: StoredPlan; peak: RecordingPeak; nextAt: Date },
): Promise<void> {
  await db
    .update(recordingPlans)
    .set({ ...set, leasedUntil: null })
    .where(eq(recordingPlans.environmentId, environmentId))
}

export async function dropPlan(db: Queryable, environmentId: string): Promise<void> {
  await db.delete(recordingPlans).where(eq(recordingPlans.environmentId, environmentId))
}

export async function findPlan(db: Queryable, environmentId: string): Promise<StoredPlan | undefined> {
  const [row] = await db
    .select({ plan: recordingPlans.plan })
    .from(recordingPlans)
    .where(eq(recordingPlans.environmentId, environmentId))
  return row?.plan ?? undefined
}

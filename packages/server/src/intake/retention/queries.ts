import { limits } from '@telltale/core/limits'
import type { RetentionKind } from '@telltale/core/query/retention'
import { and, desc, eq, inArray, isNull, lt, notInArray, sql } from 'drizzle-orm'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import {
  deletedEnvironments,
  retentionNights,
  retentionRemovals,
} from '../../platform/engines/postgres/retention-schema.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'

type NightRow = typeof retentionNights.$inferSelect
type RemovalRow = typeof retentionRemovals.$inferSelect

/** Claims the night when it is due and no other server is working on it. */
export async function claimNight(
  db: Queryable,
  { night, lease, now }: { night: string; lease: string; now: Date },
): Promise<boolean> {
  const held = { lease, leaseUntil: new Date(now.getTime() + limits.retentionLease) }
  const claimed = await db
    .insert(retentionNights)
    .values({ night, state: 'running', startedAt: now, ...held })
    .onConflictDoUpdate({
      target: retentionNights.night,
      set: held,
      setWhere: sql`${retentionNights.endedAt} IS NULL AND ${retentionNights.leaseUntil} < ${now.toISOString()}::timestamptz`,
    })
    .returning({ night: retentionNights.night })
  return claimed.length > 0
}

/** False when another server has taken over meanwhile. */
export async function updateNight(
  db: Queryable,
  { night, lease }: { night: string; lease: string },
  values: Partial<NightRow>,
): Promise<boolean> {
  const updated = await db
    .update(retentionNights)
    .set(values)
    .where(and(eq(retentionNights.night, night), eq(retentionNights.lease, lease)))
    .returning({ night: retentionNights.night })
  return updated.length > 0
}

/** Closes unfinished nights, and deletes those that are too old to be listed. */
export async function closeOldNights(db: Queryable, night: string, now: Date): Promise<void> {
  await db
    .update(retentionNights)
    .set({ state: 'unfinished', endedAt: sql`${retentionNights.leaseUntil}` })
    .where(
      and(
        lt(retentionNights.night, night),
        isNull(retentionNights.endedAt),
        lt(retentionNights.leaseUntil, now),
      ),
    )
  const kept = db
    .select({ night: retentionNights.night })
    .from(retentionNights)
    .orderBy(desc(retentionNights.night))
    .limit(limits.retentionNightsKept)
  await db.delete(retentionNights).where(notInArray(retentionNights.night, kept))
}

export async function addRemoval(db: Queryable, removal: RemovalRow): Promise<void> {
  await db
    .insert(retentionRemovals)
    .values(removal)
    .onConflictDoUpdate({
      target: [
        retentionRemovals.night,
        retentionRemovals.environmentId,
        retentionRemovals.kind,
        retentionRemovals.reason,
      ],
      set: {
        rows: sql`${retentionRemovals.rows} + excluded.rows`,
        bytes: sql`${retentionRemovals.bytes} + excluded.bytes`,
      },
    })
}

/** The newest first, each with what it removed from the environment. */
export async function findNights(
  db: Queryable,
  environmentId: string,
): Promise<{ night: NightRow; removed: RemovalRow[] }[]> {
  const nights = await db
    .select()
    .from(retentionNights)
    .orderBy(desc(retentionNights.night))
    .limit(limits.retentionNightsShown)
  if (nights.length === 0) return []
  const removals = await db
    .select()
    .from(retentionRemovals)
    .where(
      and(
        eq(retentionRemovals.environmentId, environmentId),
        inArray(
          retentionRemovals.night,
          nights.map(({ night }) => night),
        ),
      ),
    )
    .orderBy(retentionRemovals.kind, retentionRemovals.reason)
  return nights.map((night) => ({ night, removed: removals.filter((one) => one.night === night.night) }))
}

export interface KeptEnvironment {
  environment: EnvironmentRow
  budget: number | null
}

export async function findEnvironments(db: Queryable): Promise<KeptEnvironment[]> {
  return db
    .select({ environment: environments, budget: projects.telemetryBudget })
    .from(environments)
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .orderBy(environments.projectId, environments.id)
}

export async function findDeletedEnvironments(db: Queryable): Promise<{ id: string; deletedAt: Date }[]> {
  return db.select().from(deletedEnvironments)
}

export async function forgetDeletedEnvironment(db: Db, id: string): Promise<void> {
  await db.delete(deletedEnvironments).where(eq(deletedEnvironments.id, id))
}

export type RemovalReason = RemovalRow['reason']
export interface Removed {
  environmentId: string
  kind: RetentionKind
  reason: RemovalReason
  rows: number
  bytes: number
}

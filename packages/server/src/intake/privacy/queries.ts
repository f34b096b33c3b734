import { edgeLimits } from '@telltale/core/edge-limits'
import { problem } from '@telltale/core/errors'
import { and, asc, desc, eq, isNotNull, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { erasedIds, erasures } from '../../platform/engines/postgres/privacy-schema.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'
import type { ErasureRow } from './erasure.ts'

/** The newest first. */
export async function findErasures(
  db: Queryable,
  environmentId: string,
  { before, count }: { before: string | undefined; count: number },
): Promise<ErasureRow[]> {
  return db
    .select()
    .from(erasures)
    .where(
      and(
        eq(erasures.environmentId, environmentId),
        before === undefined ? undefined : lt(erasures.id, before),
      ),
    )
    .orderBy(desc(erasures.id))
    .limit(count)
}

/** Throws `not-found`. */
export async function getErasure(db: Queryable, environmentId: string, id: string): Promise<ErasureRow> {
  const [row] = await db
    .select()
    .from(erasures)
    .where(and(eq(erasures.environmentId, environmentId), eq(erasures.id, id)))
  if (!row) throw problem('not-found', 'There is no such erasure in this environment.')
  return row
}

/** The longest wait counts. */
export async function insertErasedIds(
  db: Queryable,
  { environmentId, blockedUntil }: { environmentId: string; blockedUntil: Date },
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  await db
    .insert(erasedIds)
    // A site may use one ID as both.
    .values([...new Set(hashes)].map((hash) => ({ environmentId, hash, blockedUntil })))
    .onConflictDoUpdate({
      target: [erasedIds.environmentId, erasedIds.hash],
      set: { blockedUntil: sql`greatest(${erasedIds.blockedUntil}, excluded.blocked_until)` },
    })
}

export async function deletePassedIds(db: Queryable, now: Date): Promise<void> {
  // An edge may still pass on what it received before.
  const before = new Date(now.getTime() - edgeLimits.edgeTelemetryAge.value)
  await db.delete(erasedIds).where(lte(erasedIds.blockedUntil, before))
}

/** Users whose text may still be in files of the store. */
export async function findOnDisk(db: Queryable): Promise<ErasureRow[]> {
  return db
    .select()
    .from(erasures)
    .where(and(isNotNull(erasures.checkedAt), isNull(erasures.offDiskAt)))
    .orderBy(asc(erasures.id))
    .limit(1_000)
}

/** Claims the next one that is due, for as long as a sweep may take. */
export async function claimDueErasure(
  db: Queryable,
  { now, until }: { now: Date; until: Date },
): Promise<
  | { row: ErasureRow; project: { id: string; key: string }; environment: { id: string; key: string } }
  | undefined
> {
  const due = db
    .select({ id: erasures.id })
    .from(erasures)
    .where(lte(erasures.nextSweepAt, now))
    .orderBy(erasures.nextSweepAt)
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await db
    .update(erasures)
    .set({ nextSweepAt: until })
    .where(eq(erasures.id, sql`(${due})`))
    .returning()
  if (!row) return undefined
  const [place] = await db
    .select({
      project: { id: projects.id, key: projects.key },
      environment: { id: environments.id, key: environments.key },
    })
    .from(environments)
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .where(eq(environments.id, row.environmentId))
  return place && { row, ...place }
}

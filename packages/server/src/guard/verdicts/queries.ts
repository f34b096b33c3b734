import { limits } from '@telltale/core/limits'
import { and, asc, eq, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import {
  environments,
  flagConfigs,
  flags,
  splitEpochs,
  splits,
} from '../../platform/engines/postgres/schema.ts'
import { unguardedBudgets, unguardedSplits } from '../../platform/engines/postgres/unguarded-schema.ts'

export type UnguardedRow = typeof unguardedSplits.$inferSelect

/** A split that serves several variations now, without a guard. */
export interface OpenSplit {
  id: bigint
  epoch: number
  place: string
  arms: { variation: string; weight: number }[]
  startedAt: Date
  off: string
  environmentId: string
  projectId: string
  flag: string
  env: string
}

const openSplit = {
  id: splits.id,
  epoch: splitEpochs.epoch,
  place: splits.place,
  arms: splitEpochs.arms,
  startedAt: splitEpochs.startedAt,
  off: flagConfigs.offVariation,
  environmentId: splits.environmentId,
  projectId: flags.projectId,
  flag: flags.key,
  env: environments.key,
}

/** Of flags that are on and not archived. */
const isOpen = and(
  isNull(splitEpochs.endedAt),
  isNull(flags.archivedAt),
  eq(flagConfigs.enabled, true),
  sql`(SELECT count(*) FROM jsonb_array_elements(${splitEpochs.arms}) AS one WHERE (one ->> 'weight')::int > 0) > 1`,
  sql`NOT EXISTS (SELECT 1 FROM ${rollouts} WHERE ${rollouts.overlay} IS NOT NULL AND ${rollouts.environmentId} = ${splits.environmentId} AND ${rollouts.flagId} = ${splits.flagId} AND ${rollouts.place} = ${splits.place})`,
)

const isConfigOf = and(
  eq(flagConfigs.flagId, splits.flagId),
  eq(flagConfigs.environmentId, splits.environmentId),
)

const selectOpen = (db: Queryable) =>
  db
    .select({ split: openSplit, row: unguardedSplits })
    .from(splits)
    .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
    .innerJoin(flags, eq(flags.id, splits.flagId))
    .innerJoin(environments, eq(environments.id, splits.environmentId))
    .innerJoin(flagConfigs, isConfigOf)
    .leftJoin(
      unguardedSplits,
      and(eq(unguardedSplits.splitId, splits.id), eq(unguardedSplits.epoch, splitEpochs.epoch)),
    )

/** With their row, unless they are new. */
export async function findOpen(db: Queryable): Promise<{ split: OpenSplit; row: UnguardedRow | null }[]> {
  return (await selectOpen(db).where(isOpen)).map(({ split, row }) => ({ split: toOpen(split), row }))
}

/** Those that were looked at, in one project. */
export async function findJudged(
  db: Queryable,
  projectId: string,
  env: string | undefined,
): Promise<{ split: OpenSplit; row: UnguardedRow }[]> {
  const found = await selectOpen(db)
    .where(
      and(
        isOpen,
        eq(flags.projectId, projectId),
        env === undefined ? undefined : eq(environments.key, env),
        sql`${unguardedSplits.seen} IS NOT NULL`,
      ),
    )
    .orderBy(splits.id)
  return found.flatMap(({ split, row }) => (row === null ? [] : [{ split: toOpen(split), row }]))
}

/** Only arms are ever stored there. */
const toOpen = (row: Omit<OpenSplit, 'arms'> & { arms: object[] }): OpenSplit => ({
  ...row,
  arms: (row.arms as OpenSplit['arms']).map(({ variation, weight }) => ({ variation, weight })),
})

/** A new epoch of a split begins from nothing. */
export async function beginSplits(
  db: Queryable,
  rows: readonly (typeof unguardedSplits.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return
  const epoch = sql`excluded.epoch`
  await db
    .insert(unguardedSplits)
    .values([...rows])
    .onConflictDoUpdate({
      target: unguardedSplits.splitId,
      set: {
        epoch,
        ordinal: null,
        judged: sql`excluded.judged`,
        seen: null,
        measurements: 0,
        nextAt: sql`excluded.next_at`,
        leasedUntil: null,
      },
      setWhere: sql`${unguardedSplits.epoch} < ${epoch}`,
    })
}

/** Of splits that ended, got a guard or were turned off. */
export async function forgetOthers(db: Queryable): Promise<void> {
  const open = db
    .select({ id: splits.id })
    .from(splits)
    .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
    .innerJoin(flags, eq(flags.id, splits.flagId))
    .innerJoin(flagConfigs, isConfigOf)
    .where(isOpen)
  await db.delete(unguardedSplits).where(notInArray(unguardedSplits.splitId, open))
}

/** Nothing was measured since the last look: its verdict is the one of `now`. */
export async function postpone(
  db: Queryable,
  splits: readonly bigint[],
  { by, now, nextAt }: { by: Date; now: Date; nextAt: Date },
): Promise<void> {
  if (splits.length === 0) return
  const at = now.toISOString()
  await db
    .update(unguardedSplits)
    .set({
      nextAt,
      seen: sql`CASE WHEN ${unguardedSplits.seen} IS NULL THEN NULL ELSE jsonb_set(${unguardedSplits.seen}, '{at}', to_jsonb(${at}::text)) END`,
    })
    .where(
      and(
        inArray(unguardedSplits.splitId, [...splits]),
        lte(unguardedSplits.nextAt, by),
        or(isNull(unguardedSplits.leasedUntil), lte(unguardedSplits.leasedUntil, by)),
      ),
    )
}

/** Claims one split that is due at `by` for one server; the lease starts at `now`. */
export async function claimSplit(
  db: Db,
  { by, now }: { by: Date; now: Date },
): Promise<UnguardedRow | undefined> {
  return db.transaction(async (transaction) => {
    const [row] = await transaction
      .select()
      .from(unguardedSplits)
      .where(
        and(
          lte(unguardedSplits.nextAt, by),
          or(isNull(unguardedSplits.leasedUntil), lte(unguardedSplits.leasedUntil, by)),
        ),
      )
      .orderBy(asc(unguardedSplits.nextAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (row === undefined) return undefined
    const leasedUntil = new Date(now.getTime() + limits.unguardedLease)
    await transaction
      .update(unguardedSplits)
      .set({ leasedUntil })
      .where(eq(unguardedSplits.splitId, row.splitId))
    return { ...row, leasedUntil }
  })
}

/** Stores the result only if this server still holds the lease on this epoch. */
export async function keepLook(
  db: Queryable,
  { splitId, epoch, leasedUntil }: UnguardedRow,
  seen: Partial<UnguardedRow>,
): Promise<void> {
  await db
    .update(unguardedSplits)
    .set({ ...seen, leasedUntil: null })
    .where(
      and(
        eq(unguardedSplits.splitId, splitId),
        eq(unguardedSplits.epoch, epoch),
        leasedUntil === null ? undefined : eq(unguardedSplits.leasedUntil, leasedUntil),
      ),
    )
}

/** The next place in the budget of the environment. A place is never given twice. */
export async function takeOrdinal(db: Db, row: UnguardedRow, environmentId: string): Promise<number> {
  return db.transaction(async (transaction) => {
    const [budget] = await transaction
      .insert(unguardedBudgets)
      .values({ environmentId, judged: 1 })
      .onConflictDoUpdate({
        target: unguardedBudgets.environmentId,
        set: { judged: sql`${unguardedBudgets.judged} + 1` },
      })
      .returning()
    const ordinal = budget?.judged ?? 1
    await transaction
      .update(unguardedSplits)
      .set({ ordinal })
      .where(and(eq(unguardedSplits.splitId, row.splitId), eq(unguardedSplits.epoch, row.epoch)))
    return ordinal
  })
}

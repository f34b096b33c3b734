import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, desc, eq, lte, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { flagConfigs, splitEpochs, splits } from '../../platform/engines/postgres/schema.ts'
import type { ConfigRef } from '../../release/flags/queries.ts'

export interface EpochOfSplit {
  id: bigint
  place: string
  epoch: number
  by: string
  arms: { variation: string; weight: number }[]
  startedAt: Date
  endedAt: Date | null
}

const columns = {
  id: splits.id,
  place: splits.place,
  epoch: splitEpochs.epoch,
  by: splitEpochs.by,
  arms: splitEpochs.arms,
  startedAt: splitEpochs.startedAt,
  endedAt: splitEpochs.endedAt,
}

/** The last epochs of each split, newest first; the oldest split first. */
export async function findEpochs(db: Queryable, ref: ConfigRef): Promise<EpochOfSplit[][]> {
  const ranked = db
    .select({
      ...columns,
      rank: sql<number>`row_number() OVER (PARTITION BY ${splits.id} ORDER BY ${splitEpochs.epoch} DESC)`.as(
        'rank',
      ),
    })
    .from(splits)
    .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
    .where(and(eq(splits.flagId, ref.flagId), eq(splits.environmentId, ref.environmentId)))
    .as('ranked')
  const rows = await db
    .select()
    .from(ranked)
    .where(lte(ranked.rank, limits.impactEpochs))
    .orderBy(ranked.id, desc(ranked.epoch))
  const bySplit = new Map<bigint, EpochOfSplit[]>()
  for (const row of rows) bySplit.set(row.id, [...(bySplit.get(row.id) ?? []), toEpoch(row)])
  return [...bySplit.values()]
}

/** Throws `not-found`. */
export async function getEpoch(db: Queryable, id: bigint, epoch: number): Promise<EpochOfSplit> {
  const [row] = await db
    .select(columns)
    .from(splits)
    .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
    .where(and(eq(splits.id, id), eq(splitEpochs.epoch, epoch)))
  if (!row) throw problem('not-found', `The split has no epoch ${epoch}.`)
  return toEpoch(row)
}

/** What users get while the flag is off: the usual control. */
export async function getOffVariation(db: Queryable, ref: ConfigRef): Promise<string | undefined> {
  const [row] = await db
    .select({ off: flagConfigs.offVariation })
    .from(flagConfigs)
    .where(and(eq(flagConfigs.flagId, ref.flagId), eq(flagConfigs.environmentId, ref.environmentId)))
  return row?.off
}

/** Only arms are ever stored there. */
const toEpoch = (row: Omit<EpochOfSplit, 'arms'> & { arms: object[] }): EpochOfSplit => ({
  ...row,
  arms: (row.arms as EpochOfSplit['arms']).map(({ variation, weight }) => ({ variation, weight })),
})

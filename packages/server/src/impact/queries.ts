import { problem } from '@telltale/core/errors'
import { and, desc, eq } from 'drizzle-orm'
import type { Queryable } from '../engines/postgres/open.ts'
import { splitEpochs, splits } from '../engines/postgres/schema.ts'
import type { ConfigRef } from '../flags/queries.ts'

export interface EpochOfSplit {
  id: bigint
  place: string
  epoch: number
  by: string
  arms: { variation: string; weight: number }[]
  endedAt: Date | null
}

const columns = {
  id: splits.id,
  place: splits.place,
  epoch: splitEpochs.epoch,
  by: splitEpochs.by,
  arms: splitEpochs.arms,
  endedAt: splitEpochs.endedAt,
}

/** The last epoch of each split, the oldest split first. */
export async function findSplits(db: Queryable, ref: ConfigRef): Promise<EpochOfSplit[]> {
  const rows = await db
    .selectDistinctOn([splits.id], columns)
    .from(splits)
    .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
    .where(and(eq(splits.flagId, ref.flagId), eq(splits.environmentId, ref.environmentId)))
    .orderBy(splits.id, desc(splitEpochs.epoch))
  return rows.map(toEpoch)
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

/** Only arms are ever written there. */
const toEpoch = (row: Omit<EpochOfSplit, 'arms'> & { arms: object[] }): EpochOfSplit => ({
  ...row,
  arms: (row.arms as EpochOfSplit['arms']).map(({ variation, weight }) => ({ variation, weight })),
})

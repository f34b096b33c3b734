// Several servers share one window of batch IDs: only the server that claims a batch first ships it.

import { limits } from '@telltale/core/limits'
import { and, inArray, lt } from 'drizzle-orm'
import { intakeBatches } from '../../platform/engines/postgres/intake-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

interface ClaimedBatch {
  environmentId: string
  batchId: string
}

export interface Claims {
  /** Returns those that another server has claimed. Throws while PostgreSQL is unavailable. */
  claim(batches: readonly ClaimedBatch[], at: Date): Promise<ClaimedBatch[]>
  /** Deletes claims that are too old for a client to retry. */
  forget(now: Date): Promise<void>
}

export function createClaims(db: Queryable, serverId: string): Claims {
  return {
    async claim(batches, at) {
      if (batches.length === 0) return []
      const rows = batches.map((batch) => ({ ...batch, serverId, receivedAt: at }))
      await db.insert(intakeBatches).values(rows).onConflictDoNothing()
      const found = await db
        .select()
        .from(intakeBatches)
        .where(
          and(
            inArray(
              intakeBatches.batchId,
              batches.map(({ batchId }) => batchId),
            ),
            inArray(intakeBatches.environmentId, [
              ...new Set(batches.map(({ environmentId }) => environmentId)),
            ]),
          ),
        )
      const lost = new Set(found.filter((row) => row.serverId !== serverId).map(keyOf))
      return batches.filter((batch) => lost.has(keyOf(batch)))
    },
    async forget(now) {
      await db
        .delete(intakeBatches)
        .where(lt(intakeBatches.receivedAt, new Date(now.getTime() - limits.batchIdWindow)))
    },
  }
}

const keyOf = ({ environmentId, batchId }: ClaimedBatch) => `${environmentId} ${batchId}`

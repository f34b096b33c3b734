// The runs of splits: epochs whose evidence counts together. All stages of a rollout are one run; an epoch whose weights
// were set by hand is one alone, because the variation may have changed since the one before.

import type { SplitRun } from '@telltale/core/guard/attribute-failures'
import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { flags, splitEpochs, splits } from '../../platform/engines/postgres/schema.ts'

interface Epoch {
  epoch: number
  arms: { variation: string; weight: number }[]
  startedAt: Date
  endedAt: Date | null
}

/** Without the failures of its epochs. */
export interface FoundRun {
  split: string
  flag: string
  rollout: string | null
  startedAt: Date
  endedAt: Date | null
  epochs: Epoch[]
}

/** With them. */
export type FailedRun = Omit<FoundRun, 'epochs'> & SplitRun

/** Of these splits of the environment. */
export async function findRuns(
  db: Queryable,
  environmentId: string,
  ids: readonly string[],
): Promise<FoundRun[]> {
  if (ids.length === 0) return []
  const [epochs, guarded] = await Promise.all([
    db
      .select({ split: splits.id, flag: flags.key, row: splitEpochs })
      .from(splits)
      .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
      .innerJoin(flags, eq(flags.id, splits.flagId))
      .where(and(eq(splits.environmentId, environmentId), inArray(splits.id, ids.map(BigInt))))
      .orderBy(asc(splits.id), asc(splitEpochs.epoch)),
    db
      .select({
        id: rollouts.id,
        split: rollouts.split,
        first: rollouts.firstEpoch,
        last: rollouts.lastEpoch,
      })
      .from(rollouts)
      .where(
        and(
          eq(rollouts.environmentId, environmentId),
          inArray(rollouts.split, [...ids]),
          isNotNull(rollouts.firstEpoch),
          isNotNull(rollouts.lastEpoch),
        ),
      ),
  ])
  const runs = new Map<string, FoundRun>()
  for (const { split: id, flag, row } of epochs) {
    const split = String(id)
    const { epoch, startedAt, endedAt } = row
    const rollout = guarded.find(
      (one) => one.split === split && epoch >= (one.first ?? 0) && epoch <= (one.last ?? 0),
    )
    const key = rollout?.id ?? `${split} ${epoch}`
    const run = runs.get(key) ?? { split, flag, rollout: rollout?.id ?? null, startedAt, endedAt, epochs: [] }
    runs.set(key, run)
    run.endedAt = endedAt
    run.epochs.push({ epoch, arms: armsOf(row.arms), startedAt, endedAt })
  }
  return [...runs.values()]
}

/** Only arms are ever stored there. */
const armsOf = (arms: readonly object[]) =>
  (arms as { variation: string; weight: number }[]).map(({ variation, weight }) => ({ variation, weight }))

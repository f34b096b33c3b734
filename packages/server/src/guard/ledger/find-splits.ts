// The splits of an environment that were compared in a period, and flags that were served without one.

import { comparableEpochs, type LedgerSplit, variationsOf } from '@telltale/core/guard/ledger/ledger-counts'
import { pairsOf } from '@telltale/core/guard/unguarded/judge-split'
import { ledger } from '@telltale/core/ledger-limits'
import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, notInArray, or, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import {
  environments,
  flagConfigs,
  flags,
  splitEpochs,
  splits,
} from '../../platform/engines/postgres/schema.ts'

export interface LedgerPeriod {
  from: Date
  to: Date
}

export interface FoundSplits {
  splits: LedgerSplit[]
  /** Splits beyond the limits. */
  leftOut: number
}

/** Those with the latest epochs first, within the limits of one joint estimate. */
export async function findLedgerSplits(
  db: Queryable,
  environmentId: string,
  period: LedgerPeriod,
): Promise<FoundSplits> {
  const rows = await findEpochs(db, environmentId, period)
  const controls = await findControls(
    db,
    environmentId,
    rows.map(({ split }) => split),
  )
  const byId = new Map<string, EpochRow[]>()
  for (const row of rows) byId.set(row.split, [...(byId.get(row.split) ?? []), row])
  const all = [...byId.values()].flatMap((own): LedgerSplit[] => {
    const last = own.at(-1)
    if (last === undefined) return []
    const { split, flag, off, row } = last
    const control = controls.get(split) ?? pairsOf({ arms: armsOf(row.arms), off })[0]?.control
    if (control === undefined) return []
    const epochs = own.map((one) => ({ epoch: one.row.epoch, arms: armsOf(one.row.arms) }))
    const compared = comparableEpochs(epochs, control)
    return compared.length === 0 ? [] : [{ split, flag, by: row.by, control, epochs: compared }]
  })
  const latest = all.toSorted((one, other) => lastOf(byId, other) - lastOf(byId, one))
  const kept: LedgerSplit[] = []
  let cells = 0
  for (const split of latest) {
    cells += split.epochs.length * variationsOf(split).length
    if (kept.length >= ledger.splits || cells > ledger.cells) break
    kept.push(split)
  }
  return { splits: kept, leftOut: all.length - kept.length }
}

type EpochRow = Awaited<ReturnType<typeof findEpochs>>[number]

const lastOf = (byId: ReadonlyMap<string, EpochRow[]>, { split }: LedgerSplit) =>
  byId.get(split)?.at(-1)?.row.startedAt.getTime() ?? 0

/** In order of time, for each split. */
async function findEpochs(db: Queryable, environmentId: string, { from, to }: LedgerPeriod) {
  const found = await db
    .select({ split: splits.id, flag: flags.key, off: flagConfigs.offVariation, row: splitEpochs })
    .from(splits)
    .innerJoin(splitEpochs, eq(splitEpochs.splitId, splits.id))
    .innerJoin(flags, eq(flags.id, splits.flagId))
    .innerJoin(
      flagConfigs,
      and(eq(flagConfigs.flagId, splits.flagId), eq(flagConfigs.environmentId, splits.environmentId)),
    )
    .where(
      and(
        eq(splits.environmentId, environmentId),
        lt(splitEpochs.startedAt, to),
        or(isNull(splitEpochs.endedAt), sql`${splitEpochs.endedAt} > ${from.toISOString()}`),
      ),
    )
    .orderBy(asc(splits.id), asc(splitEpochs.epoch))
  return found.map(({ split, ...rest }) => ({ ...rest, split: String(split) }))
}

/** Of the latest rollout of each split. */
async function findControls(
  db: Queryable,
  environmentId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectDistinctOn([rollouts.split], { split: rollouts.split, control: rollouts.control })
    .from(rollouts)
    .where(
      and(
        eq(rollouts.environmentId, environmentId),
        inArray(rollouts.split, [...new Set(ids)]),
        isNotNull(rollouts.startedAt),
      ),
    )
    .orderBy(rollouts.split, desc(rollouts.startedAt))
  return new Map(rows.flatMap(({ split, control }) => (split === null ? [] : [[split, control] as const])))
}

/** Only arms are ever stored there. */
const armsOf = (arms: readonly object[]) =>
  (arms as { variation: string; weight: number }[]).map(({ variation, weight }) => ({ variation, weight }))

/** Flags that are on and have no split of the ledger: their variations are not assigned at random. */
export async function findUnsplitFlags(
  db: Queryable,
  environmentId: string,
  compared: readonly string[],
): Promise<{ unsplit: string[]; unsplitCount: number }> {
  const rows = await db
    .select({ key: flags.key })
    .from(flags)
    .innerJoin(
      flagConfigs,
      and(eq(flagConfigs.flagId, flags.id), eq(flagConfigs.environmentId, environmentId)),
    )
    .innerJoin(environments, eq(environments.id, environmentId))
    .where(
      and(
        eq(flags.projectId, environments.projectId),
        isNull(flags.archivedAt),
        eq(flagConfigs.enabled, true),
        compared.length === 0 ? undefined : notInArray(flags.key, [...new Set(compared)]),
      ),
    )
    .orderBy(asc(flags.key))
  return {
    unsplit: rows.slice(0, ledger.unsplitFlags).map(({ key }) => key),
    unsplitCount: rows.length,
  }
}

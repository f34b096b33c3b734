import { ledger } from '@telltale/core/ledger-limits'
import { and, asc, desc, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { type LedgerFound, ledgerMonths } from '../../platform/engines/postgres/ledger-schema.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { environments, flags, splitEpochs, splits } from '../../platform/engines/postgres/schema.ts'

export type LedgerRow = typeof ledgerMonths.$inferSelect

export interface SplitSpan {
  environmentId: string
  timeZone: string
  /** When any of its splits served several variations. */
  startedAt: Date
  endedAt: Date | null
}

/** Times in which environments had a split of several variations, since an instant. */
export async function findSplitSpans(db: Queryable, since: Date): Promise<SplitSpan[]> {
  return db
    .select({
      environmentId: environments.id,
      timeZone: environments.timeZone,
      startedAt: splitEpochs.startedAt,
      endedAt: splitEpochs.endedAt,
    })
    .from(splitEpochs)
    .innerJoin(splits, eq(splits.id, splitEpochs.splitId))
    .innerJoin(environments, eq(environments.id, splits.environmentId))
    .where(
      and(
        or(isNull(splitEpochs.endedAt), sql`${splitEpochs.endedAt} > ${since.toISOString()}`),
        sql`(SELECT count(*) FROM jsonb_array_elements(${splitEpochs.arms}) AS one WHERE (one ->> 'weight')::int > 0) > 1`,
      ),
    )
}

/** Months that are known already stay as they are. */
export async function beginMonths(
  db: Queryable,
  months: readonly { environmentId: string; month: string; nextAt: Date }[],
): Promise<void> {
  if (months.length === 0) return
  await db
    .insert(ledgerMonths)
    .values([...months])
    .onConflictDoNothing()
}

/** Claims one month that is due at `by` for one server; the lease starts at `now`. */
export async function claimMonth(
  db: Db,
  { by, now }: { by: Date; now: Date },
): Promise<LedgerRow | undefined> {
  return db.transaction(async (transaction) => {
    const [row] = await transaction
      .select()
      .from(ledgerMonths)
      .where(
        and(
          lte(ledgerMonths.nextAt, by),
          or(isNull(ledgerMonths.leasedUntil), lte(ledgerMonths.leasedUntil, by)),
        ),
      )
      .orderBy(asc(ledgerMonths.nextAt))
      .limit(1)
      .for('update', { skipLocked: true })
    if (row === undefined) return undefined
    const leasedUntil = new Date(now.getTime() + ledger.lease)
    await transaction.update(ledgerMonths).set({ leasedUntil }).where(isMonth(row))
    return { ...row, leasedUntil }
  })
}

const isMonth = ({ environmentId, month }: Pick<LedgerRow, 'environmentId' | 'month'>) =>
  and(eq(ledgerMonths.environmentId, environmentId), eq(ledgerMonths.month, month))

/** Stores the figures only if this server still holds the lease. */
export async function keepMonth(
  db: Queryable,
  row: LedgerRow,
  set: { found: LedgerFound | null; nextAt: Date | null },
): Promise<void> {
  await db
    .update(ledgerMonths)
    .set({ ...set, leasedUntil: null })
    .where(
      and(isMonth(row), row.leasedUntil === null ? undefined : eq(ledgerMonths.leasedUntil, row.leasedUntil)),
    )
}

/** Of one environment, the latest first; without their figures. */
export async function findMonths(db: Queryable, environmentId: string): Promise<string[]> {
  const rows = await db
    .select({ month: ledgerMonths.month })
    .from(ledgerMonths)
    .where(and(eq(ledgerMonths.environmentId, environmentId), isNotNull(ledgerMonths.found)))
    .orderBy(desc(ledgerMonths.month))
    .limit(ledger.monthsShown)
  return rows.map(({ month }) => month)
}

/** Rollouts that do not advance because the budget is spent. */
export async function findWaiting(
  db: Queryable,
  environmentId: string,
): Promise<{ rollout: string; flag: string }[]> {
  return db
    .select({ rollout: rollouts.id, flag: flags.key })
    .from(rollouts)
    .innerJoin(flags, eq(flags.id, rollouts.flagId))
    .where(
      and(
        eq(rollouts.environmentId, environmentId),
        eq(rollouts.state, 'holding-undecided'),
        sql`${rollouts.rollout} ->> 'reason' = 'budget-spent'`,
      ),
    )
    .orderBy(asc(rollouts.id))
}

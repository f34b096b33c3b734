import { limits } from '@telltale/core/limits'
import { type AaTestSeries, aaTestRoundAt } from '@telltale/core/telemetry/aa-test-arm'
import { and, asc, desc, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { aaTestRounds } from '../../platform/engines/postgres/aa-test-schema.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'

export type AaTestRoundRow = typeof aaTestRounds.$inferSelect

/** Undefined while the A/A test is off. */
export function seriesOf({
  aaTestSince,
  aaTestRound,
}: Pick<EnvironmentRow, 'aaTestSince' | 'aaTestRound'>): AaTestSeries | undefined {
  return aaTestSince === null ? undefined : { since: aaTestSince.getTime(), first: aaTestRound }
}

/** Environments whose current round has no row yet. */
export async function findUnbegun(db: Queryable, now: Date): Promise<EnvironmentRow[]> {
  const on = await db.select().from(environments).where(isNotNull(environments.aaTestSince))
  if (on.length === 0) return []
  const open = await db
    .select({ environmentId: aaTestRounds.environmentId, round: aaTestRounds.round })
    .from(aaTestRounds)
    .where(isNull(aaTestRounds.endedAt))
  const known = new Set(open.map(({ environmentId, round }) => `${environmentId} ${round}`))
  return on.filter((environment) => {
    const series = seriesOf(environment)
    return series && !known.has(`${environment.id} ${aaTestRoundAt(series, now.getTime()).number}`)
  })
}

export async function insertRound(db: Queryable, row: typeof aaTestRounds.$inferInsert): Promise<void> {
  await db.insert(aaTestRounds).values(row).onConflictDoNothing()
}

export interface DueRound {
  row: AaTestRoundRow
  environment: EnvironmentRow
}

/** Claims one round that is due at `by` for one server; the lease starts at `now`. */
export async function claimRound(
  db: Db,
  { by, now }: { by: Date; now: Date },
): Promise<DueRound | undefined> {
  return db.transaction(async (transaction) => {
    const [due] = await transaction
      .select({ row: aaTestRounds, environment: environments })
      .from(aaTestRounds)
      .innerJoin(environments, eq(environments.id, aaTestRounds.environmentId))
      .where(
        and(
          isNull(aaTestRounds.endedAt),
          lte(aaTestRounds.nextAt, by),
          or(isNull(aaTestRounds.leasedUntil), lte(aaTestRounds.leasedUntil, by)),
        ),
      )
      .orderBy(asc(aaTestRounds.nextAt))
      .limit(1)
      .for('update', { of: aaTestRounds, skipLocked: true })
    if (due === undefined) return undefined
    const leasedUntil = new Date(now.getTime() + limits.aaTestLease)
    await transaction.update(aaTestRounds).set({ leasedUntil }).where(isRound(due.row))
    return { ...due, row: { ...due.row, leasedUntil } }
  })
}

type RoundId = Pick<AaTestRoundRow, 'environmentId' | 'round'>

const isRound = ({ environmentId, round }: RoundId) =>
  and(eq(aaTestRounds.environmentId, environmentId), eq(aaTestRounds.round, round))

/** Stores the result only if this server still holds the lease. */
export async function keepSeen(
  db: Queryable,
  { row }: Pick<DueRound, 'row'>,
  seen: Partial<AaTestRoundRow>,
): Promise<void> {
  const { leasedUntil } = row
  const isMine = leasedUntil === null ? undefined : eq(aaTestRounds.leasedUntil, leasedUntil)
  await db
    .update(aaTestRounds)
    .set({ ...seen, leasedUntil: null })
    .where(and(isRound(row), isMine))
}

/** Newest first. */
export async function findRounds(db: Queryable, environmentId: string): Promise<AaTestRoundRow[]> {
  return db
    .select()
    .from(aaTestRounds)
    .where(eq(aaTestRounds.environmentId, environmentId))
    .orderBy(desc(aaTestRounds.round))
    .limit(limits.aaTestRoundsKept)
}

export async function forgetOldRounds(db: Queryable, environmentId: string): Promise<void> {
  const oldest = sql`(SELECT max(round) - ${limits.aaTestRoundsKept} FROM aa_test_rounds WHERE environment_id = ${environmentId})`
  await db
    .delete(aaTestRounds)
    .where(and(eq(aaTestRounds.environmentId, environmentId), lte(aaTestRounds.round, oldest)))
}

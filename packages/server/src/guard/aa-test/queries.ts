import { limits } from '@telltale/core/limits'
import { type CanarySeries, canaryDrawAt } from '@telltale/core/telemetry/canary-arm'
import { and, asc, desc, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import { canaryDraws } from '../../platform/engines/postgres/canary-schema.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'

export type CanaryDrawRow = typeof canaryDraws.$inferSelect

/** Nothing while the canary is off. */
export function seriesOf({
  canarySince,
  canaryDraw,
}: Pick<EnvironmentRow, 'canarySince' | 'canaryDraw'>): CanarySeries | undefined {
  return canarySince === null ? undefined : { since: canarySince.getTime(), first: canaryDraw }
}

/** Environments whose present draw has no row. */
export async function findUnbegun(db: Queryable, now: Date): Promise<EnvironmentRow[]> {
  const on = await db.select().from(environments).where(isNotNull(environments.canarySince))
  if (on.length === 0) return []
  const open = await db
    .select({ environmentId: canaryDraws.environmentId, draw: canaryDraws.draw })
    .from(canaryDraws)
    .where(isNull(canaryDraws.endedAt))
  const known = new Set(open.map(({ environmentId, draw }) => `${environmentId} ${draw}`))
  return on.filter((environment) => {
    const series = seriesOf(environment)
    return series && !known.has(`${environment.id} ${canaryDrawAt(series, now.getTime()).number}`)
  })
}

export async function insertDraw(db: Queryable, row: typeof canaryDraws.$inferInsert): Promise<void> {
  await db.insert(canaryDraws).values(row).onConflictDoNothing()
}

export interface DueDraw {
  row: CanaryDrawRow
  environment: EnvironmentRow
}

/** Takes one that was due by then; its look belongs to one server until the lease is over, which begins now. */
export async function claimDraw(db: Db, { by, now }: { by: Date; now: Date }): Promise<DueDraw | undefined> {
  return db.transaction(async (transaction) => {
    const [due] = await transaction
      .select({ row: canaryDraws, environment: environments })
      .from(canaryDraws)
      .innerJoin(environments, eq(environments.id, canaryDraws.environmentId))
      .where(
        and(
          isNull(canaryDraws.endedAt),
          lte(canaryDraws.nextAt, by),
          or(isNull(canaryDraws.leasedUntil), lte(canaryDraws.leasedUntil, by)),
        ),
      )
      .orderBy(asc(canaryDraws.nextAt))
      .limit(1)
      .for('update', { of: canaryDraws, skipLocked: true })
    if (due === undefined) return undefined
    const leasedUntil = new Date(now.getTime() + limits.canaryLease)
    await transaction.update(canaryDraws).set({ leasedUntil }).where(isDraw(due.row))
    return { ...due, row: { ...due.row, leasedUntil } }
  })
}

type DrawId = Pick<CanaryDrawRow, 'environmentId' | 'draw'>

const isDraw = ({ environmentId, draw }: DrawId) =>
  and(eq(canaryDraws.environmentId, environmentId), eq(canaryDraws.draw, draw))

/** Only while the lease that it was seen under is still there. */
export async function keepSeen(
  db: Queryable,
  { row }: Pick<DueDraw, 'row'>,
  seen: Partial<CanaryDrawRow>,
): Promise<void> {
  const { leasedUntil } = row
  const isMine = leasedUntil === null ? undefined : eq(canaryDraws.leasedUntil, leasedUntil)
  await db
    .update(canaryDraws)
    .set({ ...seen, leasedUntil: null })
    .where(and(isDraw(row), isMine))
}

/** The newest first. */
export async function findDraws(db: Queryable, environmentId: string): Promise<CanaryDrawRow[]> {
  return db
    .select()
    .from(canaryDraws)
    .where(eq(canaryDraws.environmentId, environmentId))
    .orderBy(desc(canaryDraws.draw))
    .limit(limits.canaryDrawsKept)
}

export async function forgetOldDraws(db: Queryable, environmentId: string): Promise<void> {
  const oldest = sql`(SELECT max(draw) - ${limits.canaryDrawsKept} FROM canary_draws WHERE environment_id = ${environmentId})`
  await db
    .delete(canaryDraws)
    .where(and(eq(canaryDraws.environmentId, environmentId), lte(canaryDraws.draw, oldest)))
}

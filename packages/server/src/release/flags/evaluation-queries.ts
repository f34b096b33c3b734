import { and, eq, gt, gte, inArray, lt, max, min, sql, sum } from 'drizzle-orm'
import { evaluationCounts, evaluationSeries } from '../../platform/engines/postgres/evaluation-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'

export interface EvaluatedPeriod {
  flagId: string
  environmentId: string
  firstAt: Date
  lastAt: Date
}

/** First and last evaluation of flags, by environment; no entry for flags never evaluated. */
export async function findEvaluatedPeriods(
  db: Queryable,
  flagIds: readonly string[],
): Promise<EvaluatedPeriod[]> {
  if (flagIds.length === 0) return []
  const { flagId, environmentId, firstAt, lastAt } = evaluationSeries
  const rows = await db
    .select({ flagId, environmentId, firstAt: min(firstAt), lastAt: max(lastAt) })
    .from(evaluationSeries)
    .where(inArray(flagId, [...flagIds]))
    .groupBy(flagId, environmentId)
  return rows.flatMap((row) =>
    row.firstAt === null || row.lastAt === null ? [] : [{ ...row, firstAt: row.firstAt, lastAt: row.lastAt }],
  )
}

export interface EvaluationPoint {
  variation: string | null
  reason: string
  at: Date
  count: number
}

/** From the first instant to the second, exclusive; in order of time. */
export async function findPoints(
  db: Queryable,
  { flagId, environmentId }: { flagId: string; environmentId: string },
  { from, to, step }: { from: Date; to: Date; step: 'minute' | 'hour' | 'day' },
): Promise<EvaluationPoint[]> {
  const at = sql`date_trunc(${sql.raw(`'${step}'`)}, ${evaluationCounts.at}, 'UTC')`
  return db
    .select({
      variation: evaluationSeries.variation,
      reason: evaluationSeries.reason,
      at: at.mapWith(evaluationCounts.at),
      count: sum(evaluationCounts.count).mapWith(Number),
    })
    .from(evaluationSeries)
    .innerJoin(evaluationCounts, eq(evaluationCounts.seriesId, evaluationSeries.id))
    .where(
      and(
        eq(evaluationSeries.flagId, flagId),
        eq(evaluationSeries.environmentId, environmentId),
        gte(evaluationCounts.at, from),
        lt(evaluationCounts.at, to),
      ),
    )
    .groupBy(evaluationSeries.variation, evaluationSeries.reason, at)
    .orderBy(at)
}

const minute = 60_000

/**
 * Evaluations by split and variation, in the minutes that end after an instant. They lag behind delivery by at most
 * one flush; the instant must be within the retention of minutes.
 */
export async function countArms(
  db: Queryable,
  { splitIds, since }: { splitIds: readonly bigint[]; since: Date },
): Promise<Map<string, Map<string, number>>> {
  const counted = new Map<string, Map<string, number>>()
  if (splitIds.length === 0) return counted
  const { splitId, variation } = evaluationSeries
  const rows = await db
    .select({ splitId, variation, count: sum(evaluationCounts.count).mapWith(Number) })
    .from(evaluationSeries)
    .innerJoin(evaluationCounts, eq(evaluationCounts.seriesId, evaluationSeries.id))
    .where(
      and(
        inArray(splitId, [...splitIds]),
        eq(evaluationCounts.grain, 'minute'),
        gt(evaluationCounts.at, new Date(since.getTime() - minute)),
      ),
    )
    .groupBy(splitId, variation)
  for (const row of rows) {
    if (row.splitId === null || row.variation === null) continue
    const of = counted.get(String(row.splitId)) ?? new Map<string, number>()
    counted.set(String(row.splitId), of.set(row.variation, row.count))
  }
  return counted
}

// Rolls up old counts: minutes into hours, hours into days, and deletes old days. Only one server does this at
// a time.

import { limits } from '@telltale/core/limits'
import { sql } from 'drizzle-orm'
import { advisoryLocks } from '../../platform/engines/postgres/advisory-locks.ts'
import { evaluationCounts, evaluationSeries } from '../../platform/engines/postgres/evaluation-schema.ts'
import type { Db, Transaction } from '../../platform/engines/postgres/open.ts'
import { forgetReports } from './report-ids.ts'

/** Small enough for the statement timeout. */
const rowsAtOnce = 10_000

interface Ageing {
  grain: 'minute' | 'hour' | 'day'
  keptFor: number
  into: 'hour' | 'day' | undefined
}

const ageings: Ageing[] = [
  { grain: 'minute', keptFor: limits.evaluationMinutesKept, into: 'hour' },
  { grain: 'hour', keptFor: limits.evaluationHoursKept, into: 'day' },
  { grain: 'day', keptFor: limits.evaluationDaysKept, into: undefined },
]

export async function sumUpCounts(db: Db, now: Date): Promise<void> {
  await forgetReports(db, now)
  for (const ageing of ageings) {
    const before = new Date(now.getTime() - ageing.keptFor)
    let moved: number
    do {
      moved = await db.transaction(async (transaction) => {
        const { rows } = await transaction.execute<{ ours: boolean }>(
          sql`SELECT pg_try_advisory_xact_lock(${advisoryLocks.evaluationCounts}) AS ours`,
        )
        return rows[0]?.ours === true ? sumUpSome(transaction, ageing, before) : 0
      })
    } while (moved === rowsAtOnce)
  }
}

/** Returns the number of rows removed. Rows of deleted flags are not written again. */
async function sumUpSome(db: Transaction, { grain, into }: Ageing, before: Date): Promise<number> {
  const old = sql`
    DELETE FROM ${evaluationCounts}
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${evaluationCounts}
      WHERE ${evaluationCounts.grain} = ${grain} AND ${evaluationCounts.at} < ${before.toISOString()}::timestamptz
      LIMIT ${rowsAtOnce}
    ))
    RETURNING series_id, at, count`
  const counted =
    into === undefined
      ? sql`WITH old AS (${old}) SELECT count(*)::integer AS moved FROM old`
      : sql`
        WITH old AS (${old}), summed AS (
          INSERT INTO ${evaluationCounts} (series_id, grain, at, count)
          SELECT old.series_id, ${into}, date_trunc(${into}, old.at, 'UTC'), sum(old.count)
          FROM old
          JOIN ${evaluationSeries} ON ${evaluationSeries.id} = old.series_id
          GROUP BY 1, 3
          ORDER BY 1, 3
          ON CONFLICT ON CONSTRAINT evaluation_counts_pk DO UPDATE
            SET count = ${evaluationCounts.count} + excluded.count
        )
        SELECT count(*)::integer AS moved FROM old`
  const { rows } = await db.execute<{ moved: number }>(counted)
  return rows[0]?.moved ?? 0
}

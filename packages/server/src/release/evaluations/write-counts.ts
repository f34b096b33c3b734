import { sql } from 'drizzle-orm'
import { evaluationCounts, evaluationSeries } from '../../platform/engines/postgres/evaluation-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { environments, flags } from '../../platform/engines/postgres/schema.ts'

/** The outcome of one evaluation. */
export interface Outcome {
  /** The id of the environment and the key of the flag, because delivery has no flag ids. */
  environment: string
  flag: string
  variation: string | null
  reason: string
  /** The id of the split that assigned the variation. */
  split: string | null
  epoch: number | null
}

export interface CountedMinute extends Outcome {
  /** Milliseconds since 1970, as the two below. */
  at: number
  firstAt: number
  lastAt: number
  count: number
}

/** Adds to the counts of this and other servers. Deleted flags and environments are ignored. */
export async function writeCounts(db: Db, rows: readonly CountedMinute[]): Promise<void> {
  if (rows.length === 0) return
  // Sorted, so that all servers lock rows in the same order.
  await db.execute(sql`
    WITH known AS (
      SELECT ${flags.id} AS flag_id, given.environment AS environment_id, given.variation, given.reason,
        given.split, given.epoch, given.count, to_timestamp(given.at / 1000) AS at,
        to_timestamp(given."firstAt" / 1000) AS first_at, to_timestamp(given."lastAt" / 1000) AS last_at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS given (environment uuid, flag text, variation text,
        reason text, split bigint, epoch integer, at float8, "firstAt" float8, "lastAt" float8, count bigint)
      JOIN ${environments} ON ${environments.id} = given.environment
      JOIN ${flags} ON ${flags.projectId} = ${environments.projectId} AND ${flags.key} = given.flag
    ), series AS (
      INSERT INTO ${evaluationSeries}
        (flag_id, environment_id, variation, reason, split_id, epoch, first_at, last_at)
      SELECT flag_id, environment_id, variation, reason, split, epoch, min(first_at), max(last_at)
      FROM known
      GROUP BY 1, 2, 3, 4, 5, 6
      ORDER BY 1, 2, 3, 4, 5, 6
      ON CONFLICT ON CONSTRAINT evaluation_series_outcome DO UPDATE
        SET first_at = least(${evaluationSeries.firstAt}, excluded.first_at),
          last_at = greatest(${evaluationSeries.lastAt}, excluded.last_at)
      RETURNING id, flag_id, environment_id, variation, reason, split_id, epoch
    )
    INSERT INTO ${evaluationCounts} (series_id, grain, at, count)
    SELECT series.id, 'minute', known.at, sum(known.count)
    FROM known
    JOIN series ON series.flag_id = known.flag_id AND series.environment_id = known.environment_id
      AND series.reason = known.reason AND series.variation IS NOT DISTINCT FROM known.variation
      AND series.split_id IS NOT DISTINCT FROM known.split AND series.epoch IS NOT DISTINCT FROM known.epoch
    GROUP BY 1, 3
    ORDER BY 1, 3
    ON CONFLICT ON CONSTRAINT evaluation_counts_pk DO UPDATE
      SET count = ${evaluationCounts.count} + excluded.count`)
}

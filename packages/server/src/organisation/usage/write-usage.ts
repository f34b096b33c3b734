import type { Meter } from '@telltale/core/usage/meters'
import { sql } from 'drizzle-orm'
import type { Db, Transaction } from '../../platform/engines/postgres/open.ts'
import { environments, projects } from '../../platform/engines/postgres/schema.ts'
import { usageDays, usageHours, usageSessions } from '../../platform/engines/postgres/usage-schema.ts'

export interface UsagePlace {
  project: string
  environment: string
  key: string
  /** In UTC. */
  day: string
  application: string
}

export interface UsageCell extends UsagePlace {
  kind: Meter
  count: number
}

export interface UsageHour {
  environment: string
  /** Milliseconds since 1970. */
  hour: number
  events: number
}

export interface UsageSession extends UsagePlace {
  /** A hash, as a signed 64-bit number. */
  session: string
}

/** Small enough that building the statement does not delay requests. */
const rowsPerStatement = 2_000

/** Adds to the meters of this and other servers, all or nothing. Deleted projects are ignored. */
export async function writeUsage(
  db: Db,
  given: { cells: UsageCell[]; hours: UsageHour[]; sessions: UsageSession[]; at: Date },
): Promise<void> {
  await db.transaction(async (transaction) => {
    for (const cells of chunksOf(given.cells)) await writeCells(transaction, cells)
    for (const hours of chunksOf(given.hours)) await writeHours(transaction, hours)
    for (const sessions of chunksOf(given.sessions)) await writeSessions(transaction, sessions, given.at)
  })
}

function chunksOf<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / rowsPerStatement)
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  )
}

const add = sql`ON CONFLICT ON CONSTRAINT usage_days_pk DO UPDATE SET count = ${usageDays.count} + excluded.count`

// Sorted, so that all servers lock rows in the same order.
async function writeCells(transaction: Transaction, cells: readonly UsageCell[]): Promise<void> {
  await transaction.execute(sql`
    INSERT INTO ${usageDays} (project_id, day, environment_id, key_id, application, kind, count)
    SELECT given.project, given.day, given.environment, given.key, given.application, given.kind, sum(given.count)
    FROM jsonb_to_recordset(${JSON.stringify(cells)}::jsonb) AS given (project uuid, day date, environment uuid,
      key uuid, application text, kind text, count bigint)
    JOIN ${projects} ON ${projects.id} = given.project
    GROUP BY 1, 2, 3, 4, 5, 6
    ORDER BY 1, 2, 3, 4, 5, 6
    ${add}`)
}

async function writeHours(transaction: Transaction, hours: readonly UsageHour[]): Promise<void> {
  await transaction.execute(sql`
    INSERT INTO ${usageHours} (environment_id, hour, events)
    SELECT given.environment, to_timestamp(given.hour / 1000), given.events
    FROM jsonb_to_recordset(${JSON.stringify(hours)}::jsonb) AS given (environment uuid, hour float8, events bigint)
    JOIN ${environments} ON ${environments.id} = given.environment
    ORDER BY 1, 2
    ON CONFLICT ON CONSTRAINT usage_hours_pk DO UPDATE SET events = ${usageHours.events} + excluded.events`)
}

/** Counts those that no server has counted. */
async function writeSessions(
  transaction: Transaction,
  sessions: readonly UsageSession[],
  at: Date,
): Promise<void> {
  await transaction.execute(sql`
    WITH given AS (
      SELECT given.*
      FROM jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) AS given (project uuid, day date,
        environment uuid, key uuid, application text, session bigint)
      JOIN ${projects} ON ${projects.id} = given.project
    ), fresh AS (
      INSERT INTO ${usageSessions} (environment_id, session, at)
      SELECT environment, session, ${at.toISOString()}::timestamptz FROM given ORDER BY 1, 2
      ON CONFLICT DO NOTHING
      RETURNING environment_id, session
    )
    INSERT INTO ${usageDays} (project_id, day, environment_id, key_id, application, kind, count)
    SELECT given.project, given.day, given.environment, given.key, given.application, 'sessions', count(*)
    FROM given
    JOIN fresh ON fresh.environment_id = given.environment AND fresh.session = given.session
    GROUP BY 1, 2, 3, 4, 5
    ORDER BY 1, 2, 3, 4, 5
    ${add}`)
}

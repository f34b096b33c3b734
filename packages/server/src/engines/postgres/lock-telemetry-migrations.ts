// Servers that share a control plane share a telemetry store too: one of them at a time changes its tables.
import type { Sql } from './sql.ts'

/** Any number will do, as long as every server asks for the same one. */
const telemetryLock = 4_380_010

export function lockTelemetryMigrations(sql: Sql): (work: () => Promise<void>) => Promise<void> {
  return (work) =>
    sql.begin(async (transaction) => {
      // It holds the lock and nothing else, for as long as the other engine needs.
      await transaction.unsafe(
        "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '600s'; SET LOCAL idle_in_transaction_session_timeout = 0",
      )
      await transaction`SELECT pg_advisory_xact_lock(${telemetryLock})`
      await work()
    })
}

// Servers with a common control plane share a telemetry store: one of them at a time migrates it.
import { limits } from '@telltale/core/limits'
import { advisoryLocks } from './advisory-locks.ts'
import type { Sql } from './sql.ts'

/** SQLSTATE of a lock timeout. */
const lockNotAvailable = '55P03'

/** Fails after the timeout, and is retried later: see `keepOpen`. */
export function lockTelemetryMigrations(
  sql: Sql,
  { longestWait = limits.telemetryMigrationWait }: { longestWait?: number } = {},
): (work: () => Promise<void>) => Promise<void> {
  return (work) =>
    sql.begin(async (transaction) => {
      // It only holds the lock, as long as the other engine needs.
      await transaction.unsafe(
        `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${Math.ceil(longestWait)}; SET LOCAL idle_in_transaction_session_timeout = 0`,
      )
      try {
        await transaction`SELECT pg_advisory_xact_lock(${advisoryLocks.telemetryMigrations})`
      } catch (error) {
        if (!isLockTimeout(error)) throw error
        throw new Error('Another server is still changing the tables of the telemetry store.', {
          cause: error,
        })
      }
      await work()
    })
}

const isLockTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === lockNotAvailable

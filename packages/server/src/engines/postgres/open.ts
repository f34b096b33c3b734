// Opens the control plane. The same driver and the same wire serve our own PostgreSQL and a team's server.

import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import * as schema from './schema.ts'

/** Where PostgreSQL listens: a Unix socket of our own child, or the address of a team's server. */
export type PostgresTarget =
  | { kind: 'socket'; host: string; port: number; username: string; password: string; database: string }
  | { kind: 'url'; url: string }

export type Db = PostgresJsDatabase<typeof schema>
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]
/** What queries run on: the pool, or the transaction they are part of. */
export type Queryable = Db | Transaction

export interface ControlPlane {
  sql: postgres.Sql
  db: Db
  close(): Promise<void>
}

const second = 1_000

/** Statements of the control plane are small; one that takes longer waits for a lock it will not get. */
const sessionSettings = {
  application_name: 'telltale',
  statement_timeout: 15 * second,
  lock_timeout: 5 * second,
  idle_in_transaction_session_timeout: 15 * second,
}

const poolSize = 10
const connectTimeoutSeconds = 5
const closeTimeoutSeconds = 2

export function openPostgres(target: PostgresTarget, options: { poolSize?: number } = {}): ControlPlane {
  const common = {
    max: options.poolSize ?? poolSize,
    connect_timeout: connectTimeoutSeconds,
    connection: sessionSettings,
    onnotice: () => undefined,
  }
  const sql =
    target.kind === 'url'
      ? postgres(target.url, common)
      : postgres({
          ...common,
          host: target.host,
          port: target.port,
          username: target.username,
          password: target.password,
          database: target.database,
        })

  return {
    sql,
    db: drizzle(sql, { schema }),
    close: () => sql.end({ timeout: closeTimeoutSeconds }),
  }
}

const unavailableCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
])

/** SQLSTATE classes that mean "not now": connection trouble, no resources, shutting down or starting up. */
const unavailableStates = /^(08|53|57P)/

/** Whether PostgreSQL was away when a query failed, as opposed to refusing it. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return code !== undefined && (unavailableCodes.has(code) || unavailableStates.test(code))
}

/** The unique index or constraint that a query violated, if that is why it failed. */
export function violatedUnique(error: unknown): string | undefined {
  if (codeOf(error) !== '23505') return undefined
  const cause = deepest(error)
  return cause instanceof postgres.PostgresError ? cause.constraint_name : undefined
}

/** What the driver or the server said, without the query around it. */
export function reasonOf(error: unknown): string {
  const cause = deepest(error)
  return cause instanceof Error ? cause.message : String(cause)
}

function deepest(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? deepest(error.cause) : error
}

function codeOf(error: unknown): string | undefined {
  const cause = deepest(error)
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return undefined
  return typeof cause.code === 'string' ? cause.code : undefined
}

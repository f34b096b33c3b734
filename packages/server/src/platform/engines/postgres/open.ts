// Opens the control plane. The same driver and protocol for the embedded PostgreSQL and an external server.

import { setTimeout } from 'node:timers/promises'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import * as accounts from './account-schema.ts'
import * as audit from './audit-schema.ts'
import * as changes from './change-schema.ts'
import * as evaluations from './evaluation-schema.ts'
import * as others from './schema.ts'
import { createSql, type Sql } from './sql.ts'

/** Where PostgreSQL listens: a Unix socket of the embedded server, or the address of an external one. */
export type PostgresTarget =
  | { kind: 'socket'; host: string; port: number; username: string; password: string; database: string }
  | { kind: 'url'; url: string }

const schema = { ...accounts, ...audit, ...changes, ...evaluations, ...others }

export type Db = NodePgDatabase<typeof schema> & { $client: pg.Pool }
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0]
/** What queries run on: the pool, or their transaction. */
export type Queryable = Db | Transaction

export interface ControlPlane {
  sql: Sql
  db: Db
  close(): Promise<void>
}

const second = 1_000

/** Statements of the control plane are small; one that takes longer waits for a lock it will not get. */
const settings = {
  application_name: 'telltale',
  statement_timeout: 15 * second,
  lock_timeout: 5 * second,
  idle_in_transaction_session_timeout: 15 * second,
  connectionTimeoutMillis: 5 * second,
  // Connections stay open: some hold a lock that would end with them.
  idleTimeoutMillis: 0,
  keepAlive: true,
}

const poolSize = 10
const closeTimeout = 2 * second

/** The settings of a connection, in the pool or separate. */
export function connectionSettings(target: PostgresTarget): pg.PoolConfig {
  if (target.kind === 'url') return { ...settings, connectionString: target.url }

  const { host, port, username, password, database } = target
  return { ...settings, host, port, user: username, password, database }
}

export function openPostgres(target: PostgresTarget, options: { poolSize?: number } = {}): ControlPlane {
  const pool = new pg.Pool({ ...connectionSettings(target), max: options.poolSize ?? poolSize })
  // A connection that breaks while idle is replaced at its next use; one in use fails its query, which reports it.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))

  let closed: Promise<unknown> | undefined
  return {
    sql: createSql(pool),
    db: drizzle(pool, { schema }),
    close: async () => {
      // A query that hangs does not prevent the process from ending.
      closed ??= Promise.race([pool.end(), setTimeout(closeTimeout, undefined, { ref: false })])
      await closed
    },
  }
}

const unavailableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** SQLSTATE classes of temporary failures: connection problems, no resources, shutting down or starting up. */
const unavailableStates = /^(08|53|57P)/

/** Messages of the driver without a code, if a connection is lost or times out. */
const unavailableMessages =
  /^(Connection terminated|Connection ended|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired)/

/** Whether a query failed because PostgreSQL was unavailable, as opposed to rejecting it. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined) return unavailableCodes.has(code) || unavailableStates.test(code)

  return unavailableMessages.test(reasonOf(error))
}

/** Whether PostgreSQL aborted this transaction because of a deadlock: a retry succeeds. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01'
}

/** The message of the driver or the server, without the query. */
export function reasonOf(error: unknown): string {
  const cause = deepest(error)
  return cause instanceof Error ? cause.message : String(cause)
}

function deepest(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? deepest(error.cause) : error
}

function codeOf(error: unknown): string | undefined {
  const cause = deepest(error)
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return undefined
  return typeof cause.code === 'string' ? cause.code : undefined
}

// Waits until a real connection succeeds: the process runs, has recovered, accepts our password and has our database.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { errorCode } from '../../data-folder/error-code.ts'
import type { ClusterChild } from './launch-cluster.ts'

/** A start takes under a second, and recovery a few: the log to replay is bounded by max_wal_size. */
const readyLimit = 30_000
const look = 15
const connectLimit = 5_000

const wrongPassword = '28P01'

export type PostgresConnection = {
  /** The folder of the socket. */
  host: string
  port: number
  username: string
  password: string
  database: string
}

export class PostgresDidNotStart extends Error {
  override name = 'PostgresDidNotStart'
  readonly lines: string[]

  constructor(reason: string, lines: string[]) {
    super([`The embedded PostgreSQL did not start: ${reason}. Its last lines:`, ...lines].join('\n  '))
    this.lines = lines
  }
}

export class PostgresRefusesPassword extends PostgresDidNotStart {
  override name = 'PostgresRefusesPassword'
}

export async function waitUntilReady(child: ClusterChild, connection: PostgresConnection): Promise<void> {
  const deadline = performance.now() + readyLimit
  const limit = new AbortController()
  const untilLimit = pause(readyLimit, undefined, { signal: limit.signal }).catch(() => undefined)
  await Promise.race([child.saysReady, child.exited, untilLimit])
  limit.abort()

  for (;;) {
    if (child.hasExited()) throw new PostgresDidNotStart(await child.exited, child.lastLines())
    const error = await connect(connection)
    if (error === undefined) return
    if (errorCode(error) === wrongPassword)
      throw new PostgresRefusesPassword('it refuses our password', child.lastLines())
    if (performance.now() > deadline) throw new PostgresDidNotStart(`not ready: ${error}`, child.lastLines())
    await pause(look)
  }
}

async function connect(connection: PostgresConnection): Promise<unknown> {
  try {
    await withConnection({ ...connection, database: 'postgres' }, async (client) => {
      const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [connection.database])
      if (found.rowCount === 0)
        await client.query(`CREATE DATABASE ${pg.escapeIdentifier(connection.database)}`)
    })
    await withConnection(connection, (client) => client.query('SELECT 1'))
    return undefined
  } catch (error) {
    return error
  }
}

export async function withConnection(
  { username, ...connection }: PostgresConnection,
  use: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ ...connection, user: username, connectionTimeoutMillis: connectLimit })
  // An error of the connection fails the query, which reports it.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await use(client)
  } finally {
    await client.end()
  }
}

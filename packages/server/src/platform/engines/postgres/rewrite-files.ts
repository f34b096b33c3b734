// Deleted text stays in PostgreSQL's files: in the free space of pages, in the planner's statistics, in the
// notification queue and in the write-ahead log. Rewrites the tables, and for the embedded PostgreSQL the rest too.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Db } from './open.ts'

/** Rewriting takes as long as copying the table: more than a statement of the product may. */
const settings = "SET statement_timeout = '10min'; SET lock_timeout = '5s'"

const readerLooks = 20
const readerPause = 100

/**
 * Whether every earlier transaction has ended: VACUUM FULL copies deleted rows as long as one, such as a backup, may
 * still read them.
 */
export async function untilReadersAreGone(db: Db): Promise<boolean> {
  return await withClient(db, async (client) => {
    const { rows } = await client.query<{ id: string }>('SELECT pg_current_xact_id()::xid::text AS id')
    for (let look = 0; look < readerLooks; look += 1) {
      const found = await client.query(
        `SELECT FROM pg_stat_activity WHERE pid <> pg_backend_pid()
          AND greatest(age(backend_xmin), age(backend_xid)) > age($1::text::xid) LIMIT 1`,
        [rows[0]?.id],
      )
      if (found.rowCount === 0) return true
      await pause(readerPause)
    }
    return false
  })
}

/** Each table is locked while it is copied. */
export async function rewriteTables(db: Db, tables: readonly string[]): Promise<void> {
  await withClient(db, async (client) => {
    for (const table of tables) await client.query(`VACUUM (FULL, ANALYZE) ${table}`)
  })
}

/** Only for the embedded PostgreSQL: it needs the owner's permissions and the absence of replicas. */
export async function emptyLogs(db: Db): Promise<void> {
  await withClient(db, async (client) => {
    await client.query('VACUUM FULL pg_catalog.pg_statistic')
    await fillNotifications(client)
    await switchFiles(client)
    await client.query('CHECKPOINT')
  })
}

/** A message takes a page, and a file has 32. This channel has no listeners. */
const fillers = 40
const fillerLength = 7_900
const mostFills = 20
const fillPause = 50

/**
 * A file of the notification queue is deleted once every listener has read past it and a later message is sent.
 * Pages are only written to files when their buffers are needed, so the files to wait for are listed after a first
 * fill.
 */
async function fillNotifications(client: pg.PoolClient): Promise<void> {
  const list = async () =>
    (await client.query<{ name: string }>("SELECT name FROM pg_ls_dir('pg_notify') AS name")).rows
  const fill = () =>
    client.query(
      `SELECT pg_notify('telltale_filler', lpad(n::text, ${fillerLength}, '.')) FROM generate_series(1, ${fillers}) AS n`,
    )
  await fill()
  const before = new Set((await list()).map(({ name }) => name))
  for (let fills = 0; fills < mostFills; fills += 1) {
    await fill()
    if (!(await list()).some(({ name }) => before.has(name))) return
    await pause(fillPause)
  }
}

/** More than `max_wal_size`: recycled files of an older version contain old text. */
const mostSwitches = 40

async function switchFiles(client: pg.PoolClient): Promise<void> {
  for (let switched = 0; switched < mostSwitches; switched += 1) {
    await client.query("SELECT pg_logical_emit_message(false, 'telltale', '')")
    await client.query('SELECT pg_switch_wal()')
    await client.query("SELECT pg_logical_emit_message(false, 'telltale', '')")
    const { rows } = await client.query<{ ahead: number }>(
      'SELECT count(*)::int AS ahead FROM pg_ls_waldir() WHERE name > pg_walfile_name(pg_current_wal_lsn()) AND length(name) = 24',
    )
    if (rows[0]?.ahead === 0) return
  }
}

/** The connection is closed afterwards, with its settings. */
async function withClient<Found>(db: Db, work: (client: pg.PoolClient) => Promise<Found>): Promise<Found> {
  const client = await db.$client.connect()
  try {
    await client.query(settings)
    return await work(client)
  } finally {
    client.release(true)
  }
}

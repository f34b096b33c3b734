// A fingerprint of everything that a person would miss. It is equal as long as nobody changes anything.
import { createHash } from 'node:crypto'
import type { SqlQueryable } from '../engines/postgres/sql.ts'
import { countRows, listTables } from './catalogue.ts'

/** Rows that come and go while nobody changes anything: people sign in, clients repeat themselves, flags are evaluated. */
const passingTables = [
  'login_sessions',
  'password_resets',
  'idempotent_replies',
  'evaluation_series',
  'evaluation_counts',
  'intake_batches',
  'identities',
]

/** Every change leaves an audit entry; rows that the guard and others add without one are seen by their number. */
export async function describeState(sql: SqlQueryable, lastMigration: string): Promise<string> {
  const tables = (await listTables(sql)).map(({ table }) => table)
  const counts = await countRows(
    sql,
    tables.filter((table) => !passingTables.includes(table)),
  )
  const [newest] = await sql<{ id: string }[]>`SELECT id FROM audit_entries ORDER BY id DESC LIMIT 1`
  const content = JSON.stringify({ lastMigration, newest: newest?.id ?? null, counts })
  return createHash('sha256').update(content).digest('hex')
}

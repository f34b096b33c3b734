// A fingerprint of everything that members configure. It stays equal until a member changes something.
import { createHash } from 'node:crypto'
import type { SqlQueryable } from '../engines/postgres/sql.ts'
import { countRows, listTables } from './catalogue.ts'

/** Rows that change without an edit: sign-ins, also ones that strangers start, idempotent retries, counts of requests. */
const passingTables = [
  'login_sessions',
  'known_devices',
  'attempt_budgets',
  'challenges',
  'device_logins',
  'password_resets',
  'sign_in_flows',
  'provider_sessions',
  'used_logout_tokens',
  'idempotent_replies',
  'evaluation_series',
  'evaluation_counts',
  'signed_user_counts',
  'usage_days',
  'usage_hours',
  'usage_sessions',
  'disk_samples',
  'usage_samplings',
  'intake_batches',
  'identities',
  // They follow the audit entries.
  'audit_seals',
  'audit_unsealed',
]

/** Entries of what changes nothing that a member configures; the next backup has them. */
const passingActions = ['session.begin', 'session.confirm', 'session.end', '%.refuse', '%.export']

/** Every change adds an audit entry. Rows that the guard and others add without one are detected by their count. */
export async function describeState(sql: SqlQueryable, lastMigration: string): Promise<string> {
  const tables = (await listTables(sql)).map(({ table }) => table)
  const counts = await countRows(
    sql,
    tables.filter((table) => table !== 'audit_entries' && !passingTables.includes(table)),
  )
  const [newest] = await sql<{ id: string }[]>`
    SELECT id FROM audit_entries WHERE NOT (action LIKE ANY (${passingActions})) ORDER BY id DESC LIMIT 1`
  const content = JSON.stringify({ lastMigration, newest: newest?.id ?? null, counts })
  return createHash('sha256').update(content).digest('hex')
}

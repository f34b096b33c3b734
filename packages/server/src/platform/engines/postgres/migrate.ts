// Migrates the tables to this version: all or nothing, by one server at a time.

import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { advisoryLocks } from './advisory-locks.ts'
import type { Sql, SqlTransaction } from './sql.ts'

export interface Migration {
  name: string
  hash: string
  statements: string[]
}

/** Beside this file in the source, and beside the bundle when built. */
const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

const Journal = Compile(Type.Object({ entries: Type.Array(Type.Object({ tag: Type.String() })) }))

export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const journal = Journal.Parse(JSON.parse(await readFile(`${folder}/meta/_journal.json`, 'utf8')))

  return Promise.all(
    journal.entries.map(async ({ tag }) => {
      const text = await readFile(`${folder}/${tag}.sql`, 'utf8')
      return {
        name: tag,
        hash: createHash('sha256').update(text).digest('hex'),
        statements: text.split('--> statement-breakpoint'),
      }
    }),
  )
}

export class NewerDatabase extends Error {
  constructor(name: string) {
    super(
      `The database was written by a newer version of Telltale (it has the migration "${name}"). ` +
        'Start that version, or restore a backup made by this one.',
    )
    this.name = 'NewerDatabase'
  }
}

/** Completed migrations, oldest first; empty for a database without our tables. */
export async function appliedMigrations(sql: Sql): Promise<string[]> {
  const [table] = await sql`SELECT to_regclass('schema_migrations') IS NOT NULL AS present`
  if (!table?.present) return []

  const rows = await sql<{ name: string }[]>`SELECT name FROM schema_migrations ORDER BY position`
  return rows.map((row) => row.name)
}

/**
 * Runs the missing migrations in one transaction: a failure leaves the database unchanged. `upTo` stops after the
 * named migration, for restoring a backup of an older version.
 */
export async function migrate(
  sql: Sql,
  options: { migrations?: Migration[]; upTo?: string } = {},
): Promise<string[]> {
  const known = options.migrations ?? (await readMigrations())
  const wanted = options.upTo
    ? known.slice(0, known.findIndex(({ name }) => name === options.upTo) + 1)
    : known
  if (options.upTo && wanted.length === 0) throw new NewerDatabase(options.upTo)

  return sql.begin(async (transaction) => {
    // Migrating large tables takes longer than a request may, and so does waiting for another server.
    await transaction.unsafe("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '120s'")
    await transaction`SELECT pg_advisory_xact_lock(${advisoryLocks.migrations})`
    await transaction`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        position bigserial PRIMARY KEY,
        name text NOT NULL UNIQUE,
        hash text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
      )`
    const rows = await transaction<{ name: string }[]>`SELECT name FROM schema_migrations ORDER BY position`
    const applied = new Set(rows.map((row) => row.name))
    const unknown = [...applied].find((name) => !known.some((migration) => migration.name === name))
    if (unknown) throw new NewerDatabase(unknown)

    const missing = wanted.filter((migration) => !applied.has(migration.name))
    for (const migration of missing) await run(transaction, migration)
    return missing.map((migration) => migration.name)
  })
}

async function run(transaction: SqlTransaction, migration: Migration): Promise<void> {
  try {
    for (const statement of migration.statements) await transaction.unsafe(statement)
    await transaction`INSERT INTO schema_migrations (name, hash) VALUES (${migration.name}, ${migration.hash})`
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The migration "${migration.name}" failed and nothing was changed: ${reason}`, {
      cause: error,
    })
  }
}

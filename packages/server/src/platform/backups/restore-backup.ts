// Replaces the content of a database with a backup, atomically: if it fails, nothing changes.
import { appliedMigrations, type Migration, migrate, readMigrations } from '../engines/postgres/migrate.ts'
import type { PlannedStatement, Sql, SqlTransaction } from '../engines/postgres/sql.ts'
import {
  type BackupHeader,
  type BackupTable,
  DamagedBackup,
  NewerBackup,
  type RowCounts,
} from './backup-format.ts'
import { countRows, dropEverything, listTables } from './catalogue.ts'
import { copyRowsIn } from './copy-rows.ts'
import { setCopySession } from './copy-session.ts'
import { type BackupPart, readBackup, type VerifiedBackup, verifyBackup } from './read-backup.ts'
import { quoted, quotedTable } from './sql.ts'

export class InstallationInUse extends Error {
  override name = 'InstallationInUse'

  constructor(table: string) {
    super(
      `The database already contains an installation (there are rows in "${table}"). ` +
        'Restore into an empty database, or use --replace.',
    )
  }
}

class ForeignDatabase extends Error {
  override name = 'ForeignDatabase'

  constructor(table: string) {
    super(`The database contains other data (the table "${table}"). Telltale needs a dedicated database.`)
  }
}

type RestoreOptions = {
  /** The current content of the database may be deleted. */
  replace?: boolean
  migrations?: Migration[]
}

export async function restoreBackup(
  sql: Sql,
  file: string,
  options: RestoreOptions = {},
): Promise<VerifiedBackup> {
  const migrations = options.migrations ?? (await readMigrations())
  const verified = await verifyBackup(file)
  const { header, rows } = verified
  if (!migrations.some(({ name }) => name === header.lastMigration)) {
    throw new NewerBackup(file, `version ${header.version}, migration "${header.lastMigration}"`)
  }

  await sql.begin(async (transaction) => {
    await setCopySession(transaction)
    const joined = joinTransaction(transaction)
    await lockTables(transaction)
    const applied = await appliedMigrations(joined)
    if (applied.length === 0) await requireNoTables(transaction)
    else if (!options.replace) await requireEmpty(transaction)

    if (applied.at(-1) !== header.lastMigration) {
      if (applied.length > 0) await dropEverything(transaction)
      await migrate(joined, { migrations, upTo: header.lastMigration })
    }
    await truncateTables(transaction)
    await withoutGuards(transaction, () => loadRows(transaction, file))
    await setSequences(transaction, header)
    await requireCounts(transaction, file, rows)
    await migrate(joined, { migrations })
  })
  return verified
}

/** Servers that are still running wait, then see the restored rows. */
async function lockTables(transaction: SqlTransaction): Promise<void> {
  const tables = (await listTables(transaction)).map(({ table }) => quotedTable(table))
  if (tables.length > 0) await transaction.unsafe(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`)
}

/** Only a Telltale database may be replaced. */
async function requireNoTables(transaction: SqlTransaction): Promise<void> {
  const [foreign] = await listTables(transaction)
  if (foreign) throw new ForeignDatabase(foreign.table)
}

/** Until setup is complete, the row that the server's first start creates does not count as content. */
async function requireEmpty(transaction: SqlTransaction): Promise<void> {
  for (const { table, columns } of await listTables(transaction)) {
    const isInstallation = table === 'installation' && columns.includes('setup_at')
    const condition = isInstallation ? 'WHERE setup_at IS NOT NULL' : ''
    const [row] = await transaction.unsafe<{ used: boolean }[]>(
      `SELECT EXISTS (SELECT FROM ${quotedTable(table)} ${condition}) AS used`,
    )
    if (row?.used) throw new InstallationInUse(table)
  }
}

/** Migrations may have added rows; the backup contains their latest state. */
async function truncateTables(transaction: SqlTransaction): Promise<void> {
  const tables = (await listTables(transaction)).map(({ table }) => quotedTable(table))
  if (tables.length > 0) await transaction.unsafe(`TRUNCATE ${tables.join(', ')}`)
}

async function loadRows(transaction: SqlTransaction, file: string): Promise<void> {
  const found = new Map((await listTables(transaction)).map((table) => [table.table, table]))
  const parts = readBackup(file)
  for await (const part of parts) {
    if (part.kind !== 'table') continue
    requireTable(file, part.table, found.get(part.table.table))
    await copyRowsIn(transaction, part.table, rowsUpToEnd(parts))
  }
}

async function* rowsUpToEnd(parts: AsyncIterator<BackupPart>): AsyncGenerator<Buffer> {
  for (;;) {
    const { value, done } = await parts.next()
    if (done || value.kind !== 'row') return
    yield value.line
  }
}

function requireTable(file: string, { table, columns }: BackupTable, found: BackupTable | undefined): void {
  if (found === undefined) throw new DamagedBackup(file, `its version had no table "${table}"`)
  const unknown = columns.find((column) => !found.columns.includes(column))
  if (unknown) throw new DamagedBackup(file, `its version had no column "${table}.${unknown}"`)
}

async function setSequences(transaction: SqlTransaction, { sequences }: BackupHeader): Promise<void> {
  for (const { sequence, value } of sequences) {
    await transaction`SELECT setval(format('public.%I', ${sequence}::text)::regclass, ${value}::bigint)`
  }
}

async function requireCounts(transaction: SqlTransaction, file: string, wanted: RowCounts): Promise<void> {
  const restored = await countRows(transaction, Object.keys(wanted))
  for (const [table, rows] of Object.entries(wanted)) {
    if (restored[table] === rows) continue
    throw new DamagedBackup(file, `${restored[table]} of ${rows} rows of "${table}" could be restored`)
  }
}

/** A connection whose `begin` joins the open transaction, so that both commit or fail together. */
function joinTransaction(transaction: SqlTransaction): Sql {
  const query = <Rows extends readonly object[]>(text: TemplateStringsArray, ...values: unknown[]) =>
    transaction<Rows>(text, ...values)

  return Object.assign(query, {
    unsafe: <Rows extends readonly object[]>(text: string) => transaction.unsafe<Rows>(text),
    planned: <Rows extends readonly object[]>(statement: PlannedStatement, values: unknown[]) =>
      transaction.planned<Rows>(statement, values),
    begin: <Result>(run: (transaction: SqlTransaction) => Promise<Result>) => run(transaction),
  })
}

// While rows are restored, triggers are disabled and the order of tables must not matter: foreign keys are dropped,
// and validated for all rows when they are added again.
type ForeignKey = { table: string; name: string; definition: string }

async function withoutGuards(transaction: SqlTransaction, load: () => Promise<void>): Promise<void> {
  const foreignKeys = await transaction<ForeignKey[]>`
    SELECT c.relname::text AS "table", k.conname::text AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.relnamespace = 'public'::regnamespace AND k.contype = 'f' AND k.conparentid = 0
    ORDER BY c.relname, k.conname`
  const triggers = await transaction<{ table: string; name: string }[]>`
    SELECT c.relname::text AS "table", t.tgname::text AS name
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal AND t.tgenabled = 'O'`

  for (const { table, name } of foreignKeys) {
    await transaction.unsafe(`ALTER TABLE ${quotedTable(table)} DROP CONSTRAINT ${quoted(name)}`)
  }
  for (const { table, name } of triggers) {
    await transaction.unsafe(`ALTER TABLE ${quotedTable(table)} DISABLE TRIGGER ${quoted(name)}`)
  }

  await load()

  for (const { table, name } of triggers) {
    await transaction.unsafe(`ALTER TABLE ${quotedTable(table)} ENABLE TRIGGER ${quoted(name)}`)
  }
  for (const { table, name, definition } of foreignKeys) {
    await transaction.unsafe(`ALTER TABLE ${quotedTable(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`)
  }
}

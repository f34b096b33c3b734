// Puts a backup in the place of what a database holds: all of it, or nothing is changed.
import { appliedMigrations, type Migration, migrate, readMigrations } from '../engines/postgres/migrate.ts'
import type { Sql, SqlTransaction } from '../engines/postgres/sql.ts'
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
import { joinTransaction } from './join-transaction.ts'
import { type BackupPart, readBackup, type VerifiedBackup, verifyBackup } from './read-backup.ts'
import { quotedTable } from './sql.ts'
import { withoutGuards } from './without-guards.ts'

export class InstallationInUse extends Error {
  override name = 'InstallationInUse'

  constructor(table: string) {
    super(
      `The database already contains an installation (there are rows in "${table}"). ` +
        'Restore into an empty database, or use --replace.',
    )
  }
}

export class ForeignDatabase extends Error {
  override name = 'ForeignDatabase'

  constructor(table: string) {
    super(`The database contains other data (the table "${table}"). Telltale needs a dedicated database.`)
  }
}

export type RestoreOptions = {
  /** What the database holds now may go. */
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

/** Servers that still run wait, and find the restored rows. */
async function lockTables(transaction: SqlTransaction): Promise<void> {
  const tables = (await listTables(transaction)).map(({ table }) => quotedTable(table))
  if (tables.length > 0) await transaction.unsafe(`LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`)
}

/** Whatever is replaced must be ours. */
async function requireNoTables(transaction: SqlTransaction): Promise<void> {
  const [foreign] = await listTables(transaction)
  if (foreign) throw new ForeignDatabase(foreign.table)
}

/** The row that a server's first start makes counts for nothing while nobody has set the installation up. */
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

/** Migrations may have added rows; the backup has them as they became. */
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

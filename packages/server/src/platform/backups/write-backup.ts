// Writes the whole control plane to one file, from a single snapshot. The file is either complete or absent.
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { syncFolder } from '../data-folder/write-whole-file.ts'
import type { Sql, SqlTransaction } from '../engines/postgres/sql.ts'
import { unfinishedName } from './backup-files.ts'
import {
  type BackupFooter,
  type BackupHeader,
  type BackupTable,
  endOfRows,
  formatVersion,
  printLine,
  type RowCounts,
} from './backup-format.ts'
import { listSequences, listTables } from './catalogue.ts'
import { describeState } from './control-plane-state.ts'
import { copyRowsOut } from './copy-rows.ts'
import { setCopySession } from './copy-session.ts'
import { gather } from './gather.ts'
import { quotedTable } from './sql.ts'

const ownerOnly = 0o600
const newline = 0x0a

type BackupDraft = { version: string; now: Date }
export type WrittenBackup = {
  file: string
  header: BackupHeader
  rows: RowCounts
  sizeBytes: number
  /** Of the content: equal for two databases with the same content. */
  sha256: string
}

export class NothingToBackUp extends Error {
  override name = 'NothingToBackUp'

  constructor() {
    super('Nothing to back up: the database contains no Telltale installation.')
  }
}

export async function writeBackup(sql: Sql, file: string, draft: BackupDraft): Promise<WrittenBackup> {
  const unfinished = unfinishedName(file)
  try {
    const content = await sql.begin(async (transaction) => {
      await setCopySession(transaction)
      const snapshot = await readSnapshot(transaction, draft)
      const footer: BackupFooter = { rows: {}, sha256: '' }
      const lines = gather(printBackup(transaction, snapshot, footer))
      try {
        const target = createWriteStream(unfinished, { flags: 'wx', mode: ownerOnly, flush: true })
        await pipeline(lines, createGzip(), target)
      } finally {
        // A failed pipeline does not wait for its source, which would keep copying on a connection that the pool has
        // already handed to another caller.
        await lines.return(undefined)
      }
      return { header: snapshot.header, ...footer }
    }, 'ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await rename(unfinished, file)
    await syncFolder(dirname(file))
    return { file, ...content, sizeBytes: (await stat(file)).size }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

type Snapshot = { header: BackupHeader; tables: BackupTable[] }

async function readSnapshot(transaction: SqlTransaction, { version, now }: BackupDraft): Promise<Snapshot> {
  const lastMigration = await findLastMigration(transaction)
  if (lastMigration === undefined) throw new NothingToBackUp()

  const tables = await listTables(transaction)
  // Prevents tables from being dropped or altered during the read.
  await transaction.unsafe(
    `LOCK TABLE ${tables.map(({ table }) => quotedTable(table)).join(', ')} IN ACCESS SHARE MODE`,
  )
  const header: BackupHeader = {
    format: 'telltale-backup',
    formatVersion,
    createdAt: now.toISOString(),
    version,
    lastMigration,
    state: await describeState(transaction, lastMigration),
    tables: tables.map(({ table }) => table),
    sequences: await listSequences(transaction),
  }
  return { header, tables }
}

async function findLastMigration(transaction: SqlTransaction): Promise<string | undefined> {
  const [table] = await transaction`SELECT to_regclass('schema_migrations') IS NOT NULL AS present`
  if (!table?.present) return undefined
  const [last] = await transaction<{ name: string }[]>`
    SELECT name FROM schema_migrations ORDER BY position DESC LIMIT 1`
  return last?.name
}

/** `footer` is filled in while the rows are written. */
async function* printBackup(
  transaction: SqlTransaction,
  { header, tables }: Snapshot,
  footer: BackupFooter,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (chunk: Buffer) => {
    hash.update(chunk)
    return chunk
  }
  yield hashed(Buffer.from(printLine(header)))
  for (const table of tables) {
    yield hashed(Buffer.from(printLine(table)))
    let rows = 0
    for await (const chunk of copyRowsOut(transaction, table)) {
      rows += countLines(chunk)
      yield hashed(chunk)
    }
    footer.rows[table.table] = rows
    yield hashed(Buffer.from(`${endOfRows}\n`))
  }
  footer.sha256 = hash.digest('hex')
  yield Buffer.from(printLine(footer))
}

/** One row is one line: COPY escapes line breaks inside values. */
function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines++
  return lines
}

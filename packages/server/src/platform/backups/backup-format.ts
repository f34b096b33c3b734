// The format of a backup file: gzipped lines. A header; for each table a line with its name, its rows in PostgreSQL's
// COPY format and COPY's end marker; a footer that proves the file is complete.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

export const formatVersion = 1
export const endOfRows = '\\.'

/** Cannot collide with a row: COPY doubles backslashes. */
export const isEndOfRows = (line: Buffer) => line.length === 3 && line.toString('latin1') === `${endOfRows}\n`

const BackupHeaderSchema = Type.Object({
  format: Type.Literal('telltale-backup'),
  formatVersion: Type.Literal(formatVersion),
  createdAt: Type.String(),
  /** The version of Telltale that wrote it. */
  version: Type.String(),
  lastMigration: Type.String(),
  /** Equal in two backups if nothing changed between them. */
  state: Type.String(),
  tables: Type.Array(Type.String()),
  sequences: Type.Array(Type.Object({ sequence: Type.String(), value: Type.String() })),
})

const BackupTableSchema = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) })

const BackupFooterSchema = Type.Object({
  rows: Type.Record(Type.String(), Type.Integer()),
  /** Of all uncompressed bytes before the footer. */
  sha256: Type.String(),
})

export type BackupHeader = Static<typeof BackupHeaderSchema>
export type BackupTable = Static<typeof BackupTableSchema>
export type BackupFooter = Static<typeof BackupFooterSchema>
export type RowCounts = BackupFooter['rows']

const headerSchema = Compile(BackupHeaderSchema)
const tableSchema = Compile(BackupTableSchema)
const footerSchema = Compile(BackupFooterSchema)
const anyVersionSchema = Compile(
  Type.Object({ format: Type.Literal('telltale-backup'), formatVersion: Type.Integer() }),
)

/** The backup is incomplete or damaged and cannot be restored. */
export class DamagedBackup extends Error {
  override name = 'DamagedBackup'

  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`${file} is not a complete backup: ${reason}.`, options)
  }
}

export class NewerBackup extends Error {
  override name = 'NewerBackup'

  constructor(file: string, reason: string) {
    super(
      `${file} was made by a newer version of Telltale (${reason}). Restore it with that version or a later one.`,
    )
  }
}

export const printLine = (content: BackupHeader | BackupTable | BackupFooter) =>
  `${JSON.stringify(content)}\n`

export function parseHeader(file: string, line: Buffer): BackupHeader {
  const found = parseJson(line)
  if (headerSchema.Check(found)) return found
  if (anyVersionSchema.Check(found) && found.formatVersion > formatVersion) {
    throw new NewerBackup(file, `format ${found.formatVersion}`)
  }
  throw new DamagedBackup(file, 'it does not begin with the header of a Telltale backup')
}

/** Between tables, the next line starts a table or is the footer. */
export function parseSection(file: string, line: Buffer): BackupTable | BackupFooter {
  const found = parseJson(line)
  if (tableSchema.Check(found) || footerSchema.Check(found)) return found
  throw new DamagedBackup(file, 'a line that should name a table does not')
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
}

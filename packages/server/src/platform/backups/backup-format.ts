// What a backup file holds: gzip of lines. A header; for every table a line that names it, its rows as PostgreSQL's COPY
// prints them and COPY's end mark; a footer that proves that all of it is there.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'

export const formatVersion = 1
export const endOfRows = '\\.'

/** No row looks like this: COPY prints a backslash as two. */
export const isEndOfRows = (line: Buffer) => line.length === 3 && line.toString('latin1') === `${endOfRows}\n`

const BackupHeaderSchema = Type.Object({
  format: Type.Literal('telltale-backup'),
  formatVersion: Type.Literal(formatVersion),
  createdAt: Type.String(),
  /** Of the Telltale that wrote it. */
  version: Type.String(),
  lastMigration: Type.String(),
  /** Equal in two backups between which nobody changed anything. */
  state: Type.String(),
  tables: Type.Array(Type.String()),
  sequences: Type.Array(Type.Object({ sequence: Type.String(), value: Type.String() })),
})

const BackupTableSchema = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) })

const BackupFooterSchema = Type.Object({
  rows: Type.Record(Type.String(), Type.Integer()),
  /** Of every byte before the footer, uncompressed. */
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

/** The file is not a whole backup. Nothing can be restored from it. */
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

/** Between tables stands the next table or the footer. */
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

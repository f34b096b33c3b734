// Reads a backup from start to end and verifies it at the end: a reader that reaches the end has read all of it.
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { errorCode } from '../data-folder/error-code.ts'
import {
  type BackupFooter,
  type BackupHeader,
  type BackupTable,
  DamagedBackup,
  isEndOfRows,
  parseHeader,
  parseSection,
  type RowCounts,
} from './backup-format.ts'
import { LineTooLong, splitLines } from './split-lines.ts'

export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'table'; table: BackupTable }
  | { kind: 'row'; line: Buffer }
  | { kind: 'end-of-rows' }
  | { kind: 'footer'; rows: RowCounts }

export type VerifiedBackup = { header: BackupHeader; rows: RowCounts }

export async function* readBackup(file: string): AsyncGenerator<BackupPart> {
  const hash = createHash('sha256')
  const rows: RowCounts = {}
  let header: BackupHeader | undefined
  let table: string | undefined
  let footer: BackupFooter | undefined

  for await (const line of readLines(file)) {
    if (footer !== undefined) throw new DamagedBackup(file, 'it has data after its end')
    if (table !== undefined) {
      hash.update(line)
      if (isEndOfRows(line)) {
        table = undefined
        yield { kind: 'end-of-rows' }
      } else {
        rows[table] = (rows[table] ?? 0) + 1
        yield { kind: 'row', line }
      }
    } else if (header === undefined) {
      hash.update(line)
      header = parseHeader(file, line)
      yield { kind: 'header', header }
    } else {
      const section = parseSection(file, line)
      if ('sha256' in section) {
        footer = section
        continue
      }
      hash.update(line)
      table = section.table
      rows[table] = 0
      yield { kind: 'table', table: section }
    }
  }
  if (header === undefined || footer === undefined) throw new DamagedBackup(file, 'it is truncated')
  requireEqual(file, { header, footer, rows, hash })
  yield { kind: 'footer', rows }
}

/** Verifies that the file is complete and returns a summary of its content. */
export async function verifyBackup(file: string): Promise<VerifiedBackup> {
  let header: BackupHeader | undefined
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') header = part.header
    if (part.kind === 'footer' && header !== undefined) return { header, rows: part.rows }
  }
  throw new DamagedBackup(file, 'it is truncated')
}

/** Reads only the first line; the rest may be damaged. */
export async function readBackupHeader(file: string): Promise<BackupHeader> {
  for await (const line of readLines(file)) return parseHeader(file, line)
  throw new DamagedBackup(file, 'it is empty')
}

type Found = { header: BackupHeader; footer: BackupFooter; rows: RowCounts; hash: Hash }

function requireEqual(file: string, { header, footer, rows, hash }: Found): void {
  if (hash.digest('hex') !== footer.sha256) {
    throw new DamagedBackup(file, 'its checksum does not match')
  }
  for (const table of new Set([...header.tables, ...Object.keys(footer.rows), ...Object.keys(rows)])) {
    if (rows[table] === footer.rows[table] && rows[table] !== undefined) continue
    throw new DamagedBackup(
      file,
      `it holds ${rows[table] ?? 'no'} rows of the table "${table}" instead of ${footer.rows[table] ?? 'none'}`,
    )
  }
}

async function* readLines(file: string): AsyncGenerator<Buffer> {
  const text = createGunzip()
  // A failure of either stream surfaces when `text` is read.
  pipeline(createReadStream(file), text, () => undefined)
  try {
    yield* splitLines(text)
  } catch (error) {
    throw explain(file, error)
  }
}

function explain(file: string, error: unknown): unknown {
  if (error instanceof LineTooLong)
    return new DamagedBackup(file, 'it has an unterminated line', { cause: error })
  const code = errorCode(error)
  if (code === 'ENOENT') return new Error(`There is no file ${file}.`, { cause: error })
  if (code === 'Z_BUF_ERROR') return new DamagedBackup(file, 'it is truncated', { cause: error })
  if (code?.startsWith('Z_')) return new DamagedBackup(file, 'it cannot be decompressed', { cause: error })
  return error
}

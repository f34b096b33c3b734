import type { VerifiedBackup } from '../../platform/backups/read-backup.ts'

/** Example: "211 rows in 12 tables, made on 2026-11-21T03:10:00.000Z by version 0.1.0". */
export function describeBackup({ header, rows }: VerifiedBackup): string {
  const { rows: total, tables, createdAt, version } = summarizeBackup({ header, rows })
  return `${total} rows in ${tables} tables, made on ${createdAt} by version ${version}`
}

export function summarizeBackup({ header, rows }: VerifiedBackup) {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return { rows: total, tables: header.tables.length, createdAt: header.createdAt, version: header.version }
}

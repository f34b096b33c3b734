import type { VerifiedBackup } from '../../platform/backups/read-backup.ts'

/** Example: "211 rows in 12 tables, made on 2026-11-21T03:10:00.000Z by version 0.1.0". */
export function describeBackup({ header, rows }: VerifiedBackup): string {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${total} rows in ${header.tables.length} tables, made on ${header.createdAt} by version ${header.version}`
}

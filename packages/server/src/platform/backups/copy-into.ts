import { rm } from 'node:fs/promises'
import { readMigrations } from '../engines/postgres/migrate.ts'
import type { Sql } from '../engines/postgres/sql.ts'
import { restoreBackup } from './restore-backup.ts'
import { type WrittenBackup, writeBackup } from './write-backup.ts'

/** Fills an empty database from a new backup and verifies it: a backup of the copy is identical byte for byte. */
export async function copyInto(sql: Sql, original: WrittenBackup): Promise<void> {
  const { header, file } = original
  const known = await readMigrations()
  const upTo = known.findIndex(({ name }) => name === header.lastMigration)
  await restoreBackup(sql, file, { migrations: known.slice(0, upTo + 1) })

  const draft = { version: header.version, now: new Date(header.createdAt) }
  const copy = await writeBackup(sql, `${file}.copy`, draft)
  await rm(copy.file)
  if (copy.sha256 === original.sha256) return
  throw new Error('The copy differs from the original. Keep using the original, and drop the copy.')
}

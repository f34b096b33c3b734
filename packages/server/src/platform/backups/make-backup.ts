// Writes a backup to the backup folder and deletes the oldest of the same kind.
import { join } from 'node:path'
import { createPrivateFolder } from '../data-folder/create-private-folder.ts'
import type { Sql } from '../engines/postgres/sql.ts'
import { type BackupKind, backupName, keepNewestBackups } from './backup-files.ts'
import { type WrittenBackup, writeBackup } from './write-backup.ts'

export type BackupLocation = {
  folder: string
  /** How many of each kind are kept. */
  kept: number
  version: string
  now: Date
}

export async function makeBackup(sql: Sql, kind: BackupKind, place: BackupLocation): Promise<WrittenBackup> {
  await createPrivateFolder(place.folder)
  const written = await writeBackup(sql, join(place.folder, backupName(kind, place.now)), place)
  await keepNewestBackups(place.folder, kind, place.kept)
  return written
}

// Where text of an erased user still exists, and when it will be deleted.

import type { ErasureRemainder } from '@telltale/core/contract/privacy'
import type { Static } from 'typebox'
import { listBackups } from '../../platform/backups/backup-files.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import type { Config } from '../../platform/process/config.ts'
import type { ErasureRow } from './erasure.ts'

export interface Holders {
  /** When each backup in the data folder was made. */
  backups: Date[]
  /** PostgreSQL is a separate server that the team runs. */
  isExternal: boolean
}

export async function findHolders({
  dataFolder,
  databaseUrl,
}: Pick<Config, 'dataFolder' | 'databaseUrl'>): Promise<Holders> {
  const backups = await listBackups(dataPaths(dataFolder).backups)
  return { backups: backups.map(({ at }) => at), isExternal: databaseUrl !== undefined }
}

export function remainsOf(
  row: ErasureRow,
  { backups, isExternal }: Holders,
): Static<typeof ErasureRemainder>[] {
  const { erasedAt, offDiskAt, clearedAt, spoolClearedAt, subject, blockedUntil, namedIn } = row
  const until = blockedUntil.toISOString()
  // Until it is closed, the erasure itself contains the IDs of the user, in every backup too.
  const isIn = (at: Date) => subject !== null || clearedAt === null || at < clearedAt
  const held = backups.filter(isIn)
  const remains: (Static<typeof ErasureRemainder> | false)[] = [
    erasedAt === null && { place: 'telemetry-tables', until: null, names: [] },
    offDiskAt === null && { place: 'telemetry-files', until: null, names: [] },
    spoolClearedAt === null && { place: 'spool', until: null, names: [] },
    clearedAt === null && { place: 'database-files', until: null, names: [] },
    subject !== null && { place: 'erasure', until, names: [] },
    held.length > 0 && {
      place: 'backups',
      until: null,
      names: held.map((at) => at.toISOString()),
    },
    isExternal && { place: 'database-server', until: null, names: [] },
    namedIn.length > 0 && { place: 'configuration', until: null, names: namedIn },
  ]
  return remains.filter((one) => one !== false)
}

import { resolve } from 'node:path'
import { makeBackup } from '../../platform/backups/make-backup.ts'
import { verifyBackup } from '../../platform/backups/read-backup.ts'
import { restoreBackup } from '../../platform/backups/restore-backup.ts'
import { NothingToBackUp } from '../../platform/backups/write-backup.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { loadSecretKeys } from '../../platform/engines/connect-postgres/load-secret-keys.ts'
import { findUnreadableSecrets } from '../../platform/engines/postgres/reseal-secrets.ts'
import { describeBackup } from './describe-backup.ts'
import { type HostDatabase, openDatabase } from './open-database.ts'
import { parseCommand, requireOne } from './usage.ts'
import type { HostWorld } from './world.ts'

export async function restore(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, { replace: { type: 'boolean' } })
  const file = resolve(requireOne(positionals, 'The file to restore'))
  // Before a database is started or created.
  await verifyBackup(file)

  const database = await openDatabase(world, { data: values.data, mayCreate: true })
  try {
    if (values.replace) await keepReplaced(database, world)
    const restored = await restoreBackup(database.sql, file, { replace: values.replace === true })
    world.print(`Restored ${file}: ${describeBackup(restored)}.`)
    await reportUnknownKeys(database, world)
    if (database.isServed) world.print('Restart every server of this installation now.')
  } finally {
    await database.close()
  }
}

/** A backup does not contain the key of its secrets. */
async function reportUnknownKeys({ sql, config }: HostDatabase, world: HostWorld): Promise<void> {
  await loadSecretKeys(config)
  const unknown = await findUnreadableSecrets(sql)
  if (unknown.size === 0) return
  world.print(
    `Its secrets are encrypted with a key that is not here: ${[...unknown.keys()].join(', ')}. Copy secrets.key of its ` +
      'installation into the data folder. Without it, authenticator apps, client secrets of sign-in providers and ' +
      'signing secrets must be set up again.',
  )
}

/** Keeps a backup, in case the wrong installation was replaced. */
async function keepReplaced(
  { sql, config }: HostDatabase,
  { version, now, print: log }: HostWorld,
): Promise<void> {
  const place = {
    folder: dataPaths(config.dataFolder).backups,
    kept: config.backupsKept,
    version,
    now: now(),
  }
  try {
    const { file } = await makeBackup(sql, 'before-restore', place)
    log(`A backup of the replaced data was written to ${file} first.`)
  } catch (error) {
    if (!(error instanceof NothingToBackUp)) throw error
  }
}

import { resolve } from 'node:path'
import { makeBackup } from '../../platform/backups/make-backup.ts'
import { verifyBackup } from '../../platform/backups/read-backup.ts'
import { restoreBackup } from '../../platform/backups/restore-backup.ts'
import { NothingToBackUp } from '../../platform/backups/write-backup.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { loadSecretKeys } from '../../platform/engines/connect-postgres/load-secret-keys.ts'
import { findUnreadableSecrets } from '../../platform/engines/postgres/reseal-secrets.ts'
import { describeBackup, summarizeBackup } from './describe-backup.ts'
import { type HostDatabase, openDatabase } from './open-database.ts'
import { printResult } from './print-result.ts'
import { parseCommand, requireOne } from './usage.ts'
import type { HostWorld } from './world.ts'

export async function restore(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, { replace: { type: 'boolean' } })
  const file = resolve(requireOne(positionals, 'The file to restore'))
  // Before a database is started or created.
  await verifyBackup(file)

  const database = await openDatabase(world, { data: values.data, mayCreate: true })
  try {
    const replaced = values.replace ? await keepReplaced(database, world) : undefined
    // At once, because the restore can fail.
    if (replaced !== undefined && !values.json)
      world.print(`A backup of the replaced data was written to ${replaced} first.`)
    const restored = await restoreBackup(database.sql, file, { replace: values.replace === true })
    const missingKeys = await findMissingKeys(database)
    const needsRestart = database.isServed
    printResult(world, {
      isJson: values.json,
      reply: {
        file,
        ...summarizeBackup(restored),
        replaced: replaced ?? null,
        missingKeys,
        needsRestart,
      },
      lines: [
        `Restored ${file}: ${describeBackup(restored)}.`,
        ...(missingKeys.length > 0 ? [describeMissing(missingKeys)] : []),
        ...(needsRestart ? ['Restart every server of this installation now.'] : []),
      ],
    })
  } finally {
    await database.close()
  }
}

/** A backup does not contain the key of its secrets. */
async function findMissingKeys({ sql, config }: HostDatabase): Promise<string[]> {
  await loadSecretKeys(config)
  return [...(await findUnreadableSecrets(sql)).keys()]
}

const describeMissing = (keys: string[]): string =>
  `Its secrets are encrypted with a key that is not here: ${keys.join(', ')}. Copy secrets.key of its ` +
  'installation into the data folder. Without it, authenticator apps, client secrets of sign-in providers and ' +
  'signing secrets must be set up again.'

/** Keeps a backup, in case the wrong installation was replaced: resolves to its file. */
async function keepReplaced(
  { sql, config }: HostDatabase,
  { version, now }: HostWorld,
): Promise<string | undefined> {
  const place = {
    folder: dataPaths(config.dataFolder).backups,
    kept: config.backupsKept,
    version,
    now: now(),
  }
  try {
    return (await makeBackup(sql, 'before-restore', place)).file
  } catch (error) {
    if (!(error instanceof NothingToBackUp)) throw error
    return undefined
  }
}

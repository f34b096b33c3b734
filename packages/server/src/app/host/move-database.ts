import { copyInto } from '../../platform/backups/copy-into.ts'
import { makeBackup } from '../../platform/backups/make-backup.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { connectServer } from '../../platform/engines/connect-postgres/connect.ts'
import { describeBackup } from './describe-backup.ts'
import { openDatabase } from './open-database.ts'
import { parseCommand, requireOne, UsageError } from './usage.ts'
import type { HostWorld } from './world.ts'

/** Copies the embedded database to a server of the team's own, and proves that the copy holds the same. */
export async function moveDatabase(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, {})
  const url = requireOne(positionals, 'The address of the new database')
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError('The address begins with postgres:// or postgresql://')

  const target = await connectServer(url).catch((error: unknown) => {
    throw new Error(`The new database cannot be used: ${error instanceof Error ? error.message : error}`)
  })
  try {
    // DATABASE_URL may name the new server already.
    const embedded = { env: { ...world.env, DATABASE_URL: undefined } }
    const source = await openDatabase(embedded, { data: values.data })
    try {
      const folder = dataPaths(source.config.dataFolder).backups
      const place = { folder, kept: source.config.backupsKept, version: world.version, now: world.now() }
      const original = await makeBackup(source.sql, 'manual', place)
      await copyInto(target.sql, original)
      world.say(`Copied and compared: ${describeBackup(original)}.`)
      world.say('Restart the server with DATABASE_URL set to the new address. The old database is unchanged.')
      if (source.isServed) {
        world.say(`The server is running: changes after ${original.header.createdAt} are not in the copy.`)
      }
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}

import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { makeBackup } from '../../platform/backups/make-backup.ts'
import { writeBackup } from '../../platform/backups/write-backup.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { describeBackup } from './describe-backup.ts'
import { openDatabase } from './open-database.ts'
import { parseCommand, requireNone } from './usage.ts'
import type { HostWorld } from './world.ts'

export async function backUp(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, { to: { type: 'string' } })
  requireNone(positionals)
  const to = values.to === undefined ? undefined : resolve(values.to)
  if (to !== undefined) await refuseExisting(to)

  const { sql, config, close } = await openDatabase(world, { data: values.data })
  try {
    const draft = { version: world.version, now: world.now() }
    const place = { ...draft, folder: dataPaths(config.dataFolder).backups, kept: config.backupsKept }
    const written =
      to === undefined ? await makeBackup(sql, 'manual', place) : await writeBackup(sql, to, draft)
    world.say(`Written to ${written.file}: ${describeBackup(written)}, ${written.sizeBytes} bytes.`)
  } finally {
    await close()
  }
}

async function refuseExisting(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`${file} already exists. Nothing was written.`)
}

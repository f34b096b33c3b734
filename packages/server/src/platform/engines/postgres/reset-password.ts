// Gives the embedded PostgreSQL a new password when its file is lost or damaged: started for a moment so that it asks for none.
// Its only door is a socket in a folder that is closed to other users.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type ClusterLaunch, launchWith } from './launch-cluster.ts'
import { createPassword } from './password.ts'
import { commandLine } from './settings.ts'
import { type PostgresConnection, waitUntilReady, withConnection } from './wait-until-ready.ts'

/** PostgreSQL's user reads the file, and only that user gets to its folder. */
const readable = 0o644

/** `file` comes first: a start that ends in between finds a password that is refused, and does this again. */
export async function resetPassword(
  launch: ClusterLaunch,
  { file, ...connection }: Omit<PostgresConnection, 'password'> & { file: string },
): Promise<string> {
  const password = await createPassword(file)
  const rules = join(launch.socketFolder, 'pg_hba.conf')
  await writeFile(rules, 'local all all trust\n', { mode: readable })
  const child = launchWith(launch, [...commandLine(launch), '-c', `hba_file=${rules}`])
  try {
    const open = { ...connection, password: '' }
    await waitUntilReady(child, open)
    const [role, text] = [pg.escapeIdentifier(connection.username), pg.escapeLiteral(password)]
    await withConnection(open, (client) => client.query(`ALTER ROLE ${role} PASSWORD ${text}`))
  } finally {
    await child.stop()
    await rm(rules, { force: true })
  }
  launch.log.warn({ engine: 'postgres' }, `the password of PostgreSQL was lost: ${file} has a new one`)
  return password
}

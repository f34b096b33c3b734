// Resets the password of the embedded PostgreSQL if its file is lost or damaged: started briefly without
// authentication, reachable only through a socket in a folder that other users cannot access.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { type ClusterLaunch, launchWith } from './launch-cluster.ts'
import { createPassword } from './password.ts'
import { commandLine } from './settings.ts'
import { type PostgresConnection, waitUntilReady, withConnection } from './wait-until-ready.ts'

/** The file is read by PostgreSQL's user, the only user with access to its folder. */
const readable = 0o644

/**
 * `file` is written first: if a start is interrupted in between, the next one finds a password that is rejected and
 * resets it again.
 */
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

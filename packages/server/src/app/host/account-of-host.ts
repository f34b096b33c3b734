// What commands on the host need to change an account.

import { findUserByEmail } from '../../organisation/users/queries.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import { appliedMigrations, readMigrations } from '../../platform/engines/postgres/migrate.ts'
import type { HostDatabase } from './open-database.ts'
import type { HostWorld } from './world.ts'

export const originOf = (world: HostWorld): ChangeOrigin => ({
  actor: { kind: 'host', id: null, name: 'command line' },
  requestId: null,
  now: world.now(),
})

export async function requireUser({ db }: HostDatabase, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (user === undefined) throw new Error(`There is no user with the e-mail address ${email}.`)
  if (user.disabledAt !== null)
    throw new Error(`${user.email} is disabled: an owner must enable this user first.`)
  return user
}

/** A command of a newer version than the server would write to columns that do not exist yet. */
export async function requireCurrentTables({ sql }: HostDatabase): Promise<void> {
  const applied = await appliedMigrations(sql)
  const known = (await readMigrations()).map(({ name }) => name)
  if (applied.join() === known.join()) return
  throw new Error('The tables have another version. Start the server of this version once, then try again.')
}

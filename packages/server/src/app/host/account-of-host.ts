// What commands on the host need to change an account.

import { findUserByEmail } from '../../organisation/users/queries.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
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

import { resetSecondFactor as reset } from '../../organisation/second-factor/reset-second-factor.ts'
import { originOf, requireUser } from './account-of-host.ts'
import { openDatabase } from './open-database.ts'
import { printResult } from './print-result.ts'
import { requireCurrentTables } from './require-current-tables.ts'
import { parseCommand, requireOne } from './usage.ts'
import type { HostWorld } from './world.ts'

/** For owners who lost their second factor, so that an installation is never locked for good. */
export async function resetSecondFactor(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, {})
  const email = requireOne(positionals, 'The e-mail address')
  const database = await openDatabase(world, { data: values.data })
  try {
    await requireCurrentTables(database)
    const user = await requireUser(database, email)
    await reset(database.db, originOf(world), { id: user.id })
    printResult(world, {
      isJson: values.json,
      reply: { email: user.email, secondFactor: false },
      lines: [`${user.email} signs in with the password alone. All sessions of this user are signed out.`],
    })
  } finally {
    await database.close()
  }
}

import { setSingleSignOn } from '../../organisation/sign-in-providers/set-single-sign-on.ts'
import { originOf } from './account-of-host.ts'
import { openDatabase } from './open-database.ts'
import { printResult } from './print-result.ts'
import { requireCurrentTables } from './require-current-tables.ts'
import { parseCommand, requireNone } from './usage.ts'
import type { HostWorld } from './world.ts'

/** Ends single sign-on only, so that an installation is never locked for good when its provider fails. */
export async function allowPasswords(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, {})
  requireNone(positionals)
  const database = await openDatabase(world, { data: values.data })
  try {
    await requireCurrentTables(database)
    await setSingleSignOn(database.db, originOf(world), { singleSignOnOnly: false, breakGlassOwner: null })
    printResult(world, {
      isJson: values.json,
      reply: { singleSignOnOnly: false },
      lines: ['Passwords work again. `telltale reset-password EMAIL` sets one for an account without any.'],
    })
  } finally {
    await database.close()
  }
}

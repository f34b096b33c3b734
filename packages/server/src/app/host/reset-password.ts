import { and, eq, isNull } from 'drizzle-orm'
import { publicOrigin } from '../../access/public-origin.ts'
import { storePassword } from '../../organisation/users/change-password.ts'
import { issuePasswordReset } from '../../organisation/users/password-reset.ts'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import { passwordResets } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { originOf, requireUser } from './account-of-host.ts'
import { openDatabase } from './open-database.ts'
import { printResult } from './print-result.ts'
import { requireCurrentTables } from './require-current-tables.ts'
import { parseCommand, requireOne } from './usage.ts'
import type { HostWorld } from './world.ts'

type NewPassword = { user: UserRow; password: string }

/** Sets the password without a link, and ends sessions and links issued before. */
const setPassword = change(async ({ db }, { user, password }: NewPassword) => {
  await storePassword(db, { user, password, pointer: '/password' })
  await db
    .delete(passwordResets)
    .where(and(eq(passwordResets.userId, user.id), isNull(passwordResets.usedAt)))
  return {
    reply: null,
    changes: [{ action: 'user.reset-password', entity: { kind: 'user', id: user.id, name: user.email } }],
  }
})

/** For users who can no longer sign in, on installations without mail. */
export async function resetPassword(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, { 'password-stdin': { type: 'boolean' } })
  const email = requireOne(positionals, 'The e-mail address')
  const password = values['password-stdin'] ? await world.readLine() : undefined

  const database = await openDatabase(world, { data: values.data })
  try {
    await requireCurrentTables(database)
    const user = await requireUser(database, email)
    const origin = originOf(world)
    if (password !== undefined) {
      await setPassword(database.db, origin, { user, password })
      printResult(world, {
        isJson: values.json,
        reply: { email: user.email, address: null, path: null, expiresAt: null },
        lines: [`${user.email} has the new password. All sessions of this user are signed out.`],
      })
      return
    }
    const { path, expiresAt } = await issuePasswordReset(database.db, origin, { user })
    const address = await publicOrigin(database)
    printResult(world, {
      isJson: values.json,
      reply: { email: user.email, address: address ?? null, path, expiresAt },
      lines: [
        `${user.email} sets a new password at`,
        `  ${address ?? ''}${path}`,
        ...(address === undefined ? ['after the address of the installation.'] : []),
        `The link works once and expires on ${expiresAt.toISOString()}.`,
      ],
    })
  } finally {
    await database.close()
  }
}

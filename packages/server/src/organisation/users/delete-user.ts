import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { dropOwnership } from '../owners/drop-ownership.ts'
import { countOtherOwners, lockOwners, lockUser } from './queries.ts'
import { refuseBreakGlass } from './single-sign-on.ts'
import { auditedUser } from './user.ts'

export const deleteUser = change(async ({ db }, { id }: { id: string }) => {
  await lockOwners(db)
  const before = await lockUser(db, id)
  if (!before) throw problem('not-found')
  if (before.managed) throw problem('managed')
  if (before.role === 'owner' && (await countOtherOwners(db, id)) === 0) throw problem('last-owner')
  await refuseBreakGlass(db, id)

  await db.delete(users).where(eq(users.id, id))
  const disowned = await dropOwnership({ db }, { column: 'owners', id, name: before.email })
  return {
    reply: null,
    changes: [
      ...disowned,
      {
        action: 'user.delete',
        entity: { kind: 'user', id, name: before.email },
        before: auditedUser(before),
      },
    ],
  }
})

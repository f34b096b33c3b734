// Accounts as an identity provider wants them. The role in the installation is not its business: it can neither make
// owners nor take the last one.

import { ScimError } from '@telltale/core/scim/scim-error'
import { addressOf, type ScimUser, shownName } from '@telltale/core/scim/user'
import { eq, sql } from 'drizzle-orm'
import { validate as isId } from 'uuid'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import { advisoryLocks } from '../../platform/engines/postgres/advisory-locks.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { isValidEmail } from '../sign-in-providers/find-account.ts'
import { deleteUser } from '../users/delete-user.ts'
import { insertUser } from '../users/insert-user.ts'
import { findUserByEmail, lockOwners } from '../users/queries.ts'
import { noPassword } from '../users/single-sign-on.ts'
import { updateUser } from '../users/update-user.ts'
import { auditedUser } from '../users/user.ts'
import { type FoundUser, findScimUser, isUserNameTaken, storeScimUser, toScimUser } from './user-queries.ts'

/** Changes of several requests at once would not see each other's names. */
export async function lockScim(db: Queryable): Promise<void> {
  await db.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.scim})`)
}

const taken = (detail: string) => new ScimError(409, 'uniqueness', detail)
const noUser = () => new ScimError(404, undefined, 'There is no such user.')

/** Without a password: the user signs in with a provider, or sets one by a password link. */
export const createScimUser = change(async (context, { wanted }: { wanted: ScimUser }) => {
  const { db } = context
  await lockScim(db)
  const email = checkedAddress(wanted)
  if ((await isUserNameTaken(db, wanted.userName)) || (await findUserByEmail(db, email)) !== undefined) {
    throw taken(`There is a user ${wanted.userName} already.`)
  }
  const draft = { email, name: shownName(wanted), passwordHash: noPassword, role: 'member' } as const
  const { row, changes } = await insertUser(context, draft)
  const disabling =
    wanted.active === false ? await updateUser.verb(context, { id: row.id, disabled: true }) : undefined
  await storeScimUser(db, row.id, wanted)
  return { reply: await read(db, row.id), changes: [...changes, ...(disabling?.changes ?? [])] }
})

interface UserUpdate {
  id: string
  change(before: ScimUser): ScimUser
}

export const updateScimUser = change(async (context, { id, change }: UserUpdate) => {
  const { db } = context
  await lockScim(db)
  await lockOwners(db)
  const found = await read(db, id)
  const before = toScimUser(found)
  const after = change(before)

  const isRenamed = before.userName.toLowerCase() !== after.userName.toLowerCase()
  if (isRenamed && (await isUserNameTaken(db, after.userName, id))) {
    throw taken(`There is a user ${after.userName} already.`)
  }
  const changes = [
    ...(await setAddress(context, found.user, checkedAddress(after))),
    ...(await setState(context, { id, before, after })),
  ]
  await storeScimUser(db, id, after)
  return { reply: await read(db, id), changes }
})

async function read(db: Queryable, id: string): Promise<FoundUser> {
  const found = isId(id) ? await findScimUser(db, id) : undefined
  if (found === undefined) throw noUser()
  return found
}

function checkedAddress(user: ScimUser): string {
  const address = addressOf(user)
  if (isValidEmail(address)) return address
  throw new ScimError(
    400,
    'invalidValue',
    'The user needs an e-mail address, as userName or in emails: accounts are found by it.',
  )
}

/** Access to an owner's mail is enough to become one: owners change their address themselves, or at sign-in. */
async function setAddress({ db }: ChangeContext, user: UserRow, email: string): Promise<EntityChange[]> {
  if (user.email.toLowerCase() === email.toLowerCase()) return []
  if (user.managed || user.role === 'owner') {
    throw new ScimError(400, 'mutability', `The address of ${user.email} cannot be changed by SCIM.`)
  }
  if ((await findUserByEmail(db, email)) !== undefined)
    throw taken(`${email} is the address of another user.`)
  await db.update(users).set({ email }).where(eq(users.id, user.id))
  return [
    {
      action: 'user.update',
      entity: { kind: 'user', id: user.id, name: email },
      before: auditedUser(user),
      after: auditedUser({ ...user, email }),
    },
  ]
}

interface States {
  id: string
  before: ScimUser
  after: ScimUser
}

async function setState(context: ChangeContext, { id, before, after }: States): Promise<EntityChange[]> {
  const name = shownName(after)
  const isRenamed = name !== shownName(before)
  const isSwitched = after.active !== undefined && after.active !== before.active
  if (!isRenamed && !isSwitched) return []
  const { changes } = await updateUser.verb(context, {
    id,
    ...(isRenamed && { name }),
    ...(isSwitched && { disabled: after.active === false }),
  })
  return changes
}

export const deleteScimUser = change(async (context, { id }: { id: string }) => {
  await lockScim(context.db)
  await lockOwners(context.db)
  await read(context.db, id)
  return deleteUser.verb(context, { id })
})

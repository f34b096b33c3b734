import { isDeepStrictEqual } from 'node:util'
import { and, eq, isNull } from 'drizzle-orm'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { closeSetup } from '../installation/complete-setup.ts'
import { lockInstallation } from '../installation/queries.ts'
import { storePassword } from '../users/change-password.ts'
import { insertUser } from '../users/insert-user.ts'
import { hashPassword, verifyPassword } from '../users/password.ts'
import { findUserByEmail, lockOwners, lockUser } from '../users/queries.ts'
import { auditedUser } from '../users/user.ts'
import type { Declarations, UserDeclaration } from './declarations.ts'
import { attempt, type Provisioning } from './provisioning.ts'

export async function provisionUsers(
  run: Provisioning,
  { owner, users: others }: Pick<Declarations, 'owner' | 'users'>,
): Promise<void> {
  await lockOwners(run.db)
  if (owner) await provisionUser(run, owner, { isNeeded: !(await hasOwner(run.db)) })
  for (const user of others) await provisionUser(run, user, { isNeeded: false })

  if (!(await hasOwner(run.db))) refuseToDismissAll(run)
  else if ((await lockInstallation(run.db))?.setupCode) await closeSetup(run)
}

async function hasOwner(db: Queryable): Promise<boolean> {
  return (await db.$count(users, and(eq(users.role, 'owner'), isNull(users.disabledAt)))) > 0
}

/** `isNeeded`: the installation has no owner, so this account must become one, whatever happened to it before. */
async function provisionUser(
  run: Provisioning,
  declared: UserDeclaration,
  { isNeeded }: { isNeeded: boolean },
): Promise<void> {
  const { pointer, email, name, password, role, manage } = declared
  const found = await findUserByEmail(run.db, email)
  const isDue = run.memory.isDue(`user ${email.toLowerCase()}`, {
    exists: found !== undefined,
    manage: manage || isNeeded,
  })
  if (isDue) {
    const passwordHash = await hashPassword(password)
    const draft = { email, name, passwordHash, role: role ?? 'member', managed: manage }
    const made = await attempt(run, pointer, () => insertUser(run, draft))
    if (made) run.newUsers.add(made.row.id)
    if (made && manage) run.managed.add(made.row.id)
    return
  }

  const before = found && (await lockUser(run.db, found.id))
  if (!before) return
  if (manage) await enforce(run, before, declared)
  else if (isNeeded) await storeUser(run, before, { ...before, role: 'owner', disabledAt: null })
}

async function enforce(run: Provisioning, before: UserRow, declared: UserDeclaration): Promise<void> {
  const { pointer, name, password, role } = declared
  run.managed.add(before.id)
  const after = { ...before, name, role: role ?? before.role, disabledAt: null, managed: true }
  if (before.role === 'owner' && after.role === 'member') run.dismissedOwners.push(pointer)
  await storeUser(run, before, after)
  if (await verifyPassword(before.passwordHash, password)) return

  await storePassword(run.db, { user: after, password, pointer: `${pointer}/password` })
  run.changes.push({
    action: 'user.change-password',
    entity: { kind: 'user', id: after.id, name: after.email },
  })
}

/** Writes a user changed by the file, if there is a difference. */
export async function storeUser(
  { db, changes }: Provisioning,
  before: UserRow,
  after: UserRow,
): Promise<void> {
  if (isDeepStrictEqual(before, after)) return

  const { name, role, disabledAt, managed } = after
  await db.update(users).set({ name, role, disabledAt, managed }).where(eq(users.id, before.id))
  changes.push({
    action: 'user.update',
    entity: { kind: 'user', id: before.id, name: before.email },
    before: { ...auditedUser(before), managed: before.managed },
    after: { ...auditedUser(after), managed },
  })
}

function refuseToDismissAll({ faults, dismissedOwners }: Provisioning): void {
  for (const pointer of dismissedOwners) {
    faults.push({ pointer: `${pointer}/role`, message: 'leaves the installation without an active owner' })
  }
}

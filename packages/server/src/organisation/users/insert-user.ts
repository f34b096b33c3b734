import { problem } from '@telltale/core/errors'
import type { InstallationRole } from '@telltale/core/permissions'
import { v7 as newId } from 'uuid'
import { noSecondFactor, type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import type { ChangeContext, EntityChange } from '../../platform/engines/postgres/change.ts'
import { findUserByEmail } from './queries.ts'
import { auditedUser } from './user.ts'

interface UserDraft {
  email: string
  name: string
  passwordHash: string
  role: InstallationRole
  managed?: boolean
}

/** Inserts an account. Throws `already-exists`. */
export async function insertUser(
  { db, now }: ChangeContext,
  { email, name, passwordHash, role, managed = false }: UserDraft,
): Promise<{ row: UserRow; changes: EntityChange[] }> {
  if (await findUserByEmail(db, email)) throw problem('already-exists', `${email} has an account.`)

  const row: UserRow = {
    id: newId(),
    email,
    name,
    passwordHash,
    role,
    disabledAt: null,
    createdAt: now,
    lastSeenAt: null,
    mentionMail: true,
    managed,
    roleFrom: null,
    ...noSecondFactor,
  }
  await db.insert(users).values(row)

  return {
    row,
    changes: [
      {
        action: 'user.create',
        entity: { kind: 'user', id: row.id, name: row.email },
        after: auditedUser(row),
      },
    ],
  }
}

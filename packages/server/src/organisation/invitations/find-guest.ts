import { type Fault, problem } from '@telltale/core/errors'
import { v7 as newId } from 'uuid'
import { noSecondFactor, type UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { checkPassword } from '../users/check-password.ts'
import { hashPassword, passwordFault } from '../users/password.ts'
import { findUserByEmail } from '../users/queries.ts'

/** The user who accepts an invitation: an existing account, or a new one that is not inserted yet. */
export interface Guest {
  user: UserRow
  isNew: boolean
}

interface GuestDraft {
  /** The invited e-mail address. */
  email: string
  name: string | undefined
  password: string
  now: Date
}

/** Checks the password of the account, or prepares a new account. Throws `unauthenticated` or `invalid-request`. */
export async function findGuest(db: Db, draft: GuestDraft): Promise<Guest> {
  const { email, password } = draft
  if (await findUserByEmail(db, email)) {
    return { user: await checkPassword(db, { email, password }), isNew: false }
  }
  return { user: await newUser(draft), isNew: true }
}

async function newUser({ email, name, password, now }: GuestDraft): Promise<UserRow> {
  const tooEasy = await passwordFault(password, email)
  const faults: Fault[] = [
    ...(name === undefined ? [{ pointer: '/name', message: 'is missing' }] : []),
    ...(tooEasy === undefined ? [] : [{ pointer: '/password', message: tooEasy }]),
  ]
  if (name === undefined || faults.length > 0) throw problem('invalid-request', { errors: faults })

  return {
    id: newId(),
    email,
    name,
    passwordHash: await hashPassword(password),
    role: 'member',
    disabledAt: null,
    createdAt: now,
    lastSeenAt: null,
    mentionMail: true,
    managed: false,
    roleFrom: null,
    ...noSecondFactor,
  }
}

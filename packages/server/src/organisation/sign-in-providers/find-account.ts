// Which user an account of a provider signs in to.

import { Email } from '@telltale/core/contract/parameters'
import { type KnownClaims, refuseEmail } from '@telltale/core/sign-in/read-claims'
import { and, eq } from 'drizzle-orm'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerAccounts } from '../../platform/engines/postgres/sign-in-schema.ts'
import { compileCheck } from '../../platform/http/validate.ts'
import { findUserByEmail } from '../users/queries.ts'

export type FoundAccount =
  /** Has signed in with this account of the provider before. */
  | { kind: 'known'; user: UserRow }
  /** Has the e-mail address, and signs in with this provider for the first time. */
  | { kind: 'linked'; user: UserRow }
  | { kind: 'new'; email: string }
  | { kind: 'refused'; reason: string }

const checkEmail = compileCheck(Email)
export const isValidEmail = (email: string) => !('faults' in checkEmail(email))

export async function findAccount(
  db: Queryable,
  provider: SignInProviderRow,
  { subject, known }: { subject: string; known: KnownClaims },
): Promise<FoundAccount> {
  const { email } = known
  const user = await findBySubject(db, provider.id, subject)
  // Someone whose address the provider no longer sends is still the same account.
  const shown = user !== undefined && email === undefined ? { email: user.email, isVerified: true } : known
  const refusal = refuseEmail(shown, provider)
  if (refusal !== undefined) return { kind: 'refused', reason: refusal }
  if (user !== undefined) return unlessDisabled({ kind: 'known', user })

  if (email === undefined || !isValidEmail(email)) {
    return { kind: 'refused', reason: 'The e-mail address from the provider is not valid.' }
  }
  const holder = await findUserByEmail(db, email)
  if (holder === undefined) return { kind: 'new', email }
  if (await hasAccount(db, provider.id, holder.id)) {
    return {
      kind: 'refused',
      reason: `Another account of the provider already signs in as ${holder.email}. Give one of them another address there.`,
    }
  }
  return unlessDisabled({ kind: 'linked', user: holder })

  function unlessDisabled(found: { kind: 'known' | 'linked'; user: UserRow }): FoundAccount {
    if (found.user.disabledAt === null) return found
    return { kind: 'refused', reason: `The account ${found.user.email} is disabled. An owner can enable it.` }
  }
}

async function findBySubject(
  db: Queryable,
  providerId: string,
  subject: string,
): Promise<UserRow | undefined> {
  const [found] = await db
    .select({ user: users })
    .from(providerAccounts)
    .innerJoin(users, eq(users.id, providerAccounts.userId))
    .where(and(eq(providerAccounts.providerId, providerId), eq(providerAccounts.subject, subject)))
  return found?.user
}

async function hasAccount(db: Queryable, providerId: string, userId: string): Promise<boolean> {
  const isTheirs = and(eq(providerAccounts.providerId, providerId), eq(providerAccounts.userId, userId))
  return (await db.$count(providerAccounts, isTheirs)) > 0
}

// Single sign-on only: passwords and passkeys sign in one owner, in case no provider works.

import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import type { UserRow } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { providerAccounts } from '../../platform/engines/postgres/sign-in-schema.ts'

export interface SingleSignOn {
  singleSignOnOnly: boolean
  /** The owner who may still use a password. */
  breakGlassOwner: string | null
}

/** Stored instead of the hash of a password: none fits. */
export const noPassword = 'none'

export async function findSingleSignOn(db: Queryable): Promise<SingleSignOn> {
  const { singleSignOnOnly, breakGlassOwner } = installation
  const [row] = await db
    .select({ singleSignOnOnly, breakGlassOwner })
    .from(installation)
    .where(eq(installation.id, 1))
  return row ?? { singleSignOnOnly: false, breakGlassOwner: null }
}

/** Throws `single-sign-on-required` for a sign-in without a provider. */
export async function refusePassword(db: Queryable, { id }: Pick<UserRow, 'id'>): Promise<void> {
  const { singleSignOnOnly, breakGlassOwner } = await findSingleSignOn(db)
  if (singleSignOnOnly && breakGlassOwner !== id) throw problem('single-sign-on-required')
}

/** The owner with a password stays an active owner as long as single sign-on only is on. Throws `in-use`. */
export async function refuseBreakGlass(db: Queryable, userId: string): Promise<void> {
  const { singleSignOnOnly, breakGlassOwner } = await findSingleSignOn(db)
  if (!singleSignOnOnly || breakGlassOwner !== userId) return
  throw problem('in-use', 'This is the owner who can sign in without a provider. Choose another one first.')
}

/** Whether an account has only ever been used with a provider: its users get no link for a password by mail. */
export async function hasOnlyProviders(db: Queryable, user: UserRow): Promise<boolean> {
  if (user.passwordHash !== noPassword) return false
  return (await db.$count(providerAccounts, eq(providerAccounts.userId, user.id))) > 0
}

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

export interface ShownSingleSignOn extends SingleSignOn {
  /** Whether the setup file decides it. */
  managed: boolean
}

/** Stored instead of the hash of a password: none fits. */
export const noPassword = 'none'

export async function findSingleSignOn(db: Queryable): Promise<ShownSingleSignOn> {
  const [row] = await selectSingleSignOn(db)
  return row ?? { singleSignOnOnly: false, breakGlassOwner: null, managed: false }
}

const selectSingleSignOn = (db: Queryable) => {
  const { singleSignOnOnly, breakGlassOwner, singleSignOnManaged: managed } = installation
  return db
    .select({ singleSignOnOnly, breakGlassOwner, managed })
    .from(installation)
    .where(eq(installation.id, 1))
}

/**
 * Throws `single-sign-on-required` for a sign-in without a provider. A switch to single sign-on only waits for the
 * transaction, and then ends its session as well.
 */
export async function refusePassword(db: Queryable, { id }: Pick<UserRow, 'id'>): Promise<void> {
  const [{ singleSignOnOnly, breakGlassOwner } = { singleSignOnOnly: false, breakGlassOwner: null }] =
    await selectSingleSignOn(db).for('share')
  if (singleSignOnOnly && breakGlassOwner !== id) throw problem('single-sign-on-required')
}

/** The owner with a password stays an active owner as long as single sign-on only is on. Throws `in-use`. */
export async function refuseBreakGlass(db: Queryable, userId: string): Promise<void> {
  const { singleSignOnOnly, breakGlassOwner } = await findSingleSignOn(db)
  if (!singleSignOnOnly || breakGlassOwner !== userId) return
  throw problem('in-use', 'This is the owner who can sign in without a provider. Choose another one first.')
}

/**
 * Whether a mail may bring a link for a new password: not to accounts that have only ever been used with a provider, nor
 * where passwords sign in no one but another account.
 */
export async function mayResetPassword(db: Queryable, user: UserRow): Promise<boolean> {
  const { singleSignOnOnly, breakGlassOwner } = await findSingleSignOn(db)
  if (singleSignOnOnly) return breakGlassOwner === user.id
  if (user.passwordHash !== noPassword) return true
  return (await db.$count(providerAccounts, eq(providerAccounts.userId, user.id))) === 0
}

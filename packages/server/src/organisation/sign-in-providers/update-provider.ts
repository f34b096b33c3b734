import { problem } from '@telltale/core/errors'
import { eq } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { memberships } from '../../platform/engines/postgres/schema.ts'
import {
  type SignInProviderRow,
  signInProviders,
} from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerAccounts } from '../../platform/engines/postgres/sign-in-schema.ts'
import { checkProvider, type ProviderSettings } from './check-provider.ts'
import { providerChange } from './provider.ts'
import { endProviderSessions, lockProvider } from './queries.ts'
import { refuseLastWay } from './set-single-sign-on.ts'

interface ProviderUpdate {
  key: string
  given: { [Name in keyof ProviderSettings]?: ProviderSettings[Name] | undefined }
  ifMatch: number | undefined
  networks: readonly string[]
  toReply(row: Awaited<ReturnType<typeof lockProvider>>): unknown
  /** The session of the caller, which goes on. */
  keptSessionId: string | undefined
}

export const updateProvider = change(
  async ({ db }, { key, given, ifMatch, networks, toReply, keptSessionId }: ProviderUpdate) => {
    const before = await lockProvider(db, key)
    if (before.managed) throw problem('managed')
    if (ifMatch !== undefined && ifMatch !== before.version) {
      throw problem('version-conflict', { current: toReply(before) })
    }
    const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
    const checked = checkProvider({ ...before, ...wanted }, networks)
    const isElsewhere = checked.issuer !== before.issuer
    if (isElsewhere && given.secret === undefined) {
      throw problem('invalid-request', {
        errors: [{ pointer: '/secret', message: 'is required: the secret belongs to the issuer' }],
      })
    }
    const after = { ...before, ...checked }
    const { row, changes } = await replaceProvider({ db }, { before, after, keptSessionId })
    return { reply: row, changes }
  },
)

interface Replacement {
  before: SignInProviderRow
  /** With its settings checked. */
  after: SignInProviderRow
  keptSessionId: string | undefined
}

/** Stores changed settings, and ends what the former ones gave. */
export async function replaceProvider(
  { db }: Pick<ChangeContext, 'db'>,
  { before, after, keptSessionId }: Replacement,
): Promise<{ row: SignInProviderRow; changes: EntityChange[] }> {
  const isElsewhere = after.issuer !== before.issuer
  const isSame = after.clientId === before.clientId && after.secret === before.secret && !isElsewhere
  const { id: _id, ...values } = {
    ...after,
    testedAt: isSame ? before.testedAt : null,
    version: before.version + 1,
  }
  const [stored = before] = await db
    .update(signInProviders)
    .set(values)
    .where(eq(signInProviders.id, before.id))
    .returning()
  // Subjects of another issuer are other accounts: they are found again by their e-mail addresses.
  if (isElsewhere) await db.delete(providerAccounts).where(eq(providerAccounts.providerId, before.id))
  if (stored.groupsClaim === null) await leaveRoles(db, before.id)
  if (before.enabled && !stored.enabled) await refuseLastWay(db)
  if (isElsewhere || !stored.enabled) await endProviderSessions(db, before.id, keptSessionId)
  return { row: stored, changes: [providerChange('update', { before, after: stored })] }
}

/** No groups are read any more: roles stay, and can be changed by hand, as after the provider was deleted. */
async function leaveRoles(db: Queryable, providerId: string): Promise<void> {
  await db.update(users).set({ roleFrom: null }).where(eq(users.roleFrom, providerId))
  await db.update(memberships).set({ roleFrom: null }).where(eq(memberships.roleFrom, providerId))
}

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { readClaims } from '@telltale/core/sign-in/read-claims'
import { eq } from 'drizzle-orm'
import { type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import {
  type SignInProviderRow,
  signInProviders,
} from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerAccounts, providerSessions } from '../../platform/engines/postgres/sign-in-schema.ts'
import { acceptByAddress } from '../invitations/accept-by-address.ts'
import { insertUser } from '../users/insert-user.ts'
import { findUserByEmail, lockUser } from '../users/queries.ts'
import { signIn } from '../users/sign-in.ts'
import { noPassword } from '../users/single-sign-on.ts'
import { auditedUser } from '../users/user.ts'
import { applyGroups } from './apply-groups.ts'
import type { Arrival } from './exchange-code.ts'
import { type FoundAccount, findAccount, isValidEmail } from './find-account.ts'
import { lockProvider } from './queries.ts'

interface Admission {
  /** As it was when it sent the arrival. */
  asked: SignInProviderRow
  arrival: Arrival
  userAgent: string
}

/**
 * Signs in the user of an account of a provider, and creates a missing user. The provider is locked, so that two first
 * sign-ins of an account at the same time create one user.
 */
export const admitAccount = change(async (context, { asked, arrival, userAgent }: Admission) => {
  const { db, now } = context
  const provider = await lockProvider(db, asked.key)
  if (!provider.enabled) throw problem('sign-in-refused', 'This sign-in provider is disabled.')
  // A subject means nothing to another issuer.
  if (provider.id !== asked.id || provider.issuer !== asked.issuer) {
    throw problem('link-expired', 'The sign-in provider was changed meanwhile. Start again.')
  }
  const { subject, claims } = arrival
  const known = readClaims(claims, provider.groupsClaim)
  const found = await findAccount(db, provider, { subject, known })
  if (found.kind === 'refused') throw problem('sign-in-refused', found.reason)

  const account = await settleAccount(context, found, known)
  await noteAccount(context, { provider, subject, userId: account.user.id })
  const grouped =
    known.groups === undefined
      ? { user: account.user, changes: [] }
      : await applyGroups(context, { user: account.user, provider, groups: known.groups })
  const { user } = grouped
  const isOwnAddress = known.email?.toLowerCase() === user.email.toLowerCase()
  const invited = isOwnAddress ? await acceptByAddress(context, user) : []

  const begun = await signIn.verb(context, {
    ...{ user, userAgent, by: provider.key, isAtProvider: true },
    // Elsewhere a second factor of the account here confirms the session.
    confirmedAt: provider.reauthenticates ? confirmedAtOf(arrival, now) : null,
    maxAge: arrival.refreshToken === null ? limits.providerSessionMaximum : undefined,
  })
  const { providerSession, idToken, refreshToken } = arrival
  await db.insert(providerSessions).values({
    ...{
      sessionId: begun.reply.id,
      providerId: provider.id,
      subject,
      providerSession,
      idToken,
      refreshToken,
    },
    refreshAt: refreshToken === null ? null : new Date(now.getTime() + limits.providerRefreshInterval),
  })
  return {
    reply: { user: { ...user, lastSeenAt: now }, session: begun.reply },
    changes: [...account.changes, ...grouped.changes, ...invited, ...begun.changes],
  }
})

/** By our clock when the provider's is ahead. */
function confirmedAtOf({ authenticatedAt }: Arrival, now: Date): Date | null {
  if (authenticatedAt === undefined) return null
  return authenticatedAt > now ? now : authenticatedAt
}

async function settleAccount(
  context: ChangeContext,
  found: Exclude<FoundAccount, { kind: 'refused' }>,
  { email, name }: { email: string | undefined; name: string | undefined },
): Promise<{ user: UserRow; changes: EntityChange[] }> {
  if (found.kind === 'new') {
    const shown = (name ?? found.email).slice(0, limits.nameLength)
    const draft = { email: found.email, name: shown, passwordHash: noPassword, role: 'member' } as const
    const { row, changes } = await insertUser(context, draft)
    return { user: row, changes }
  }
  const user = (await lockUser(context.db, found.user.id)) ?? found.user
  if (found.kind === 'linked' || email === undefined) return { user, changes: [] }
  return followAddress(context, user, email)
}

/** The address of a known account follows that at the provider, unless someone else here has it. */
async function followAddress({ db }: ChangeContext, user: UserRow, email: string) {
  const isSame = user.email.toLowerCase() === email.toLowerCase()
  const isFree = isValidEmail(email) && (await findUserByEmail(db, email)) === undefined
  if (isSame || user.managed || !isFree) return { user, changes: [] }
  const after = { ...user, email }
  await db.update(users).set({ email }).where(eq(users.id, user.id))
  const change: EntityChange = {
    action: 'user.update',
    entity: { kind: 'user', id: user.id, name: email },
    before: auditedUser(user),
    after: auditedUser(after),
  }
  return { user: after, changes: [change] }
}

async function noteAccount(
  { db, now }: ChangeContext,
  { provider, subject, userId }: { provider: SignInProviderRow; subject: string; userId: string },
): Promise<void> {
  await db
    .insert(providerAccounts)
    .values({ providerId: provider.id, subject, userId, createdAt: now, lastUsedAt: now })
    .onConflictDoUpdate({
      target: [providerAccounts.providerId, providerAccounts.subject],
      set: { lastUsedAt: now },
    })
  await db.update(signInProviders).set({ testedAt: now }).where(eq(signInProviders.id, provider.id))
}

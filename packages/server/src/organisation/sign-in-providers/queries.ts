import { problem } from '@telltale/core/errors'
import { and, asc, count, eq, inArray, ne } from 'drizzle-orm'
import { loginSessions } from '../../platform/engines/postgres/account-schema.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import {
  type SignInProviderRow,
  signInProviders,
} from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerAccounts, providerSessions } from '../../platform/engines/postgres/sign-in-schema.ts'

export async function findProviders(db: Queryable): Promise<SignInProviderRow[]> {
  return db.select().from(signInProviders).orderBy(asc(signInProviders.createdAt), asc(signInProviders.key))
}

export async function findProvider(db: Queryable, key: string): Promise<SignInProviderRow | undefined> {
  const [row] = await db.select().from(signInProviders).where(eq(signInProviders.key, key))
  return row
}

/** Locks the provider until the transaction ends. */
export async function lockProvider(db: Queryable, key: string): Promise<SignInProviderRow> {
  const [row] = await db.select().from(signInProviders).where(eq(signInProviders.key, key)).for('update')
  if (row === undefined) throw problem('not-found', 'There is no such sign-in provider.')
  return row
}

/** How many accounts have signed in with each provider. */
export async function countAccounts(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .select({ id: providerAccounts.providerId, accounts: count() })
    .from(providerAccounts)
    .groupBy(providerAccounts.providerId)
  return new Map(rows.map(({ id, accounts }) => [id, accounts]))
}

/** Ends the sessions that a provider began, except the one to keep. */
export async function endProviderSessions(
  db: Queryable,
  providerId: string,
  keptId: string | undefined,
): Promise<void> {
  const { sessionId } = providerSessions
  const begun = db
    .select({ sessionId })
    .from(providerSessions)
    .where(
      and(
        eq(providerSessions.providerId, providerId),
        keptId === undefined ? undefined : ne(sessionId, keptId),
      ),
    )
  await db.delete(loginSessions).where(inArray(loginSessions.id, begun))
}

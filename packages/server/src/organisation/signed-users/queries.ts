import { asc, desc, eq } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { signedUserCounts, signingSecrets } from '../../platform/engines/postgres/signed-user-schema.ts'

export type SigningSecretRow = typeof signingSecrets.$inferSelect
export type CountRow = typeof signedUserCounts.$inferSelect

/** By environment. */
export async function readSigningSecrets(db: Queryable): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const { environmentId, secret } of await db
    .select()
    .from(signingSecrets)
    .orderBy(asc(signingSecrets.id)))
    found.set(environmentId, [...(found.get(environmentId) ?? []), secret])
  return found
}

/** Newest first. */
export async function findSigningSecrets(db: Queryable, environmentId: string): Promise<SigningSecretRow[]> {
  return db
    .select()
    .from(signingSecrets)
    .where(eq(signingSecrets.environmentId, environmentId))
    .orderBy(desc(signingSecrets.createdAt), desc(signingSecrets.id))
}

/** Newest first. */
export async function findCounts(db: Queryable, environmentId: string): Promise<CountRow[]> {
  return db
    .select()
    .from(signedUserCounts)
    .where(eq(signedUserCounts.environmentId, environmentId))
    .orderBy(desc(signedUserCounts.day), asc(signedUserCounts.source))
}

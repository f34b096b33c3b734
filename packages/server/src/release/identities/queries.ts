import { and, asc, desc, eq, gt, like, or, type SQL, sql } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { flags, identities, identityOverrides } from '../../platform/engines/postgres/schema.ts'

export type IdentityRow = typeof identities.$inferSelect

interface IdentityRef {
  environmentId: string
  targetingKey: string
}

export function isIdentity({ environmentId, targetingKey }: IdentityRef) {
  return and(eq(identities.environmentId, environmentId), eq(identities.targetingKey, targetingKey))
}

export async function findIdentity(db: Queryable, ref: IdentityRef): Promise<IdentityRow | undefined> {
  const [row] = await db.select().from(identities).where(isIdentity(ref))
  return row
}

export interface IdentityFilter {
  /** Prefix of the targeting key. */
  search: string | undefined
  /** A trait and the values it may have. */
  trait: { name: string; values: readonly unknown[] } | undefined
}

export interface SeenCursor {
  lastSeenAt: Date
  targetingKey: string
}

/** Last seen first, then by targeting key, descending. */
export async function findLastSeen(
  db: Queryable,
  environmentId: string,
  { filter, before, count }: { filter: IdentityFilter; before: SeenCursor | undefined; count: number },
): Promise<IdentityRow[]> {
  return db
    .select()
    .from(identities)
    .where(
      and(
        fits(environmentId, filter),
        before &&
          sql`(${identities.lastSeenAt}, ${identities.targetingKey})
            < (${before.lastSeenAt.toISOString()}::timestamptz, ${before.targetingKey})`,
      ),
    )
    .orderBy(desc(identities.lastSeenAt), desc(identities.targetingKey))
    .limit(count)
}

/** By targeting key. */
export async function findByKey(
  db: Queryable,
  environmentId: string,
  { filter, after, count }: { filter: IdentityFilter; after: string | undefined; count: number },
): Promise<IdentityRow[]> {
  return db
    .select()
    .from(identities)
    .where(
      and(fits(environmentId, filter), after === undefined ? undefined : gt(identities.targetingKey, after)),
    )
    .orderBy(asc(identities.targetingKey))
    .limit(count)
}

function fits(environmentId: string, { search, trait }: IdentityFilter): SQL | undefined {
  return and(
    eq(identities.environmentId, environmentId),
    search === undefined
      ? undefined
      : like(identities.targetingKey, `${search.replaceAll(/[\\%_]/g, '\\$&')}%`),
    trait &&
      or(
        ...trait.values.map(
          (value) => sql`${identities.traits} @> ${JSON.stringify({ [trait.name]: value })}::jsonb`,
        ),
      ),
  )
}

/** The overrides of one subject, by flag, including archived flags. */
export async function findOverridesOf(db: Queryable, { environmentId, targetingKey }: IdentityRef) {
  return db
    .select({
      flagId: flags.id,
      flag: flags.key,
      variation: identityOverrides.variation,
      createdAt: identityOverrides.createdAt,
    })
    .from(identityOverrides)
    .innerJoin(flags, eq(flags.id, identityOverrides.flagId))
    .where(
      and(
        eq(identityOverrides.environmentId, environmentId),
        eq(identityOverrides.targetingKey, targetingKey),
      ),
    )
    .orderBy(asc(flags.key))
}

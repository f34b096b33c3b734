import { and, asc, eq, gt } from 'drizzle-orm'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { identityOverrides } from '../../platform/engines/postgres/schema.ts'

export type OverrideRow = typeof identityOverrides.$inferSelect

export interface OverrideRef {
  environmentId: string
  flagId: string
  targetingKey: string
}

export function matches({ environmentId, flagId, targetingKey }: OverrideRef) {
  return and(
    eq(identityOverrides.environmentId, environmentId),
    eq(identityOverrides.flagId, flagId),
    eq(identityOverrides.targetingKey, targetingKey),
  )
}

export async function findOverride(db: Queryable, ref: OverrideRef): Promise<OverrideRow | undefined> {
  const [row] = await db.select().from(identityOverrides).where(matches(ref))
  return row
}

/** By targeting key. */
export async function findOverrides(
  db: Queryable,
  { environmentId, flagId }: Omit<OverrideRef, 'targetingKey'>,
  { after, count }: { after: string | undefined; count: number },
): Promise<OverrideRow[]> {
  return db
    .select()
    .from(identityOverrides)
    .where(
      and(
        eq(identityOverrides.environmentId, environmentId),
        eq(identityOverrides.flagId, flagId),
        after === undefined ? undefined : gt(identityOverrides.targetingKey, after),
      ),
    )
    .orderBy(asc(identityOverrides.targetingKey))
    .limit(count)
}

export async function countOverrides(db: Queryable, environmentId: string): Promise<number> {
  return db.$count(identityOverrides, eq(identityOverrides.environmentId, environmentId))
}

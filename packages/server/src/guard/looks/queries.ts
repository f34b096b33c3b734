import { limits } from '@telltale/core/limits'
import { and, eq, inArray, isNotNull, isNull, lt, max, or, sql } from 'drizzle-orm'
import { guardServers } from '../../platform/engines/postgres/guard-schema.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { flagConfigs } from '../../platform/engines/postgres/schema.ts'
import type { PlacedRollout } from '../rollouts/queries.ts'

/** Whose clock runs wrong takes nobody's lease, and keeps none: all of this is by the clock of the database. */
const later = (span: number) => sql`now() + make_interval(secs => ${span / 1_000})`
const isHeld = sql`${rollouts.leasedUntil} > now()`

export interface Lease {
  holder: string
  span: number
}

/** Takes whatever runs and nobody looks after, and keeps what this server has. */
export async function takeLeases(db: Db, { holder, span }: Lease): Promise<Set<string>> {
  const { leaseHolder, leasedUntil } = rollouts
  const rows = await db
    .update(rollouts)
    .set({ leaseHolder: holder, leasedUntil: later(span) })
    .where(
      and(
        isNotNull(rollouts.overlay),
        or(eq(leaseHolder, holder), isNull(leaseHolder), isNull(leasedUntil), lt(leasedUntil, sql`now()`)),
      ),
    )
    .returning({ id: rollouts.id })
  return new Set(rows.map(({ id }) => id))
}

/** Takes one rollout before it runs: until the lease ends or is returned, no guard looks at it. */
export async function takeLease(db: Db, id: string, { holder, span }: Lease): Promise<void> {
  await db
    .update(rollouts)
    .set({ leaseHolder: holder, leasedUntil: later(span) })
    .where(eq(rollouts.id, id))
}

/** What this server still has. */
export async function findHeld(db: Queryable, holder: string): Promise<Set<string>> {
  const rows = await db
    .select({ id: rollouts.id })
    .from(rollouts)
    .where(and(eq(rollouts.leaseHolder, holder), isHeld))
  return new Set(rows.map(({ id }) => id))
}

/** Others need not wait for its end. */
export async function returnLeases(db: Db, holder: string): Promise<void> {
  await db
    .update(rollouts)
    .set({ leaseHolder: null, leasedUntil: null })
    .where(eq(rollouts.leaseHolder, holder))
  await db.delete(guardServers).where(eq(guardServers.server, holder))
}

/** Says how far behind this server is, and hears how far the furthest of those is that said something lately. */
export async function shareSpoolLag(db: Db, server: string, spoolLag: number): Promise<number> {
  const at = sql`now()`
  const row = { spoolLag: Math.round(spoolLag), at }
  await db
    .insert(guardServers)
    .values({ server, ...row })
    .onConflictDoUpdate({ target: guardServers.server, set: row })
  await db.delete(guardServers).where(lt(guardServers.at, later(-limits.guardServerForgotten)))
  return Math.max(await findSpoolLag(db), spoolLag)
}

/** How far behind the furthest of all servers is that said something lately. */
export async function findSpoolLag(db: Queryable): Promise<number> {
  const [found] = await db
    .select({ most: max(guardServers.spoolLag) })
    .from(guardServers)
    .where(sql`${guardServers.at} > ${later(-limits.guardServerSilent)}`)
  return found?.most ?? 0
}

/** Flags that are off where a rollout runs, by rollout. */
export async function findTurnedOff(db: Queryable, placed: readonly PlacedRollout[]): Promise<Set<string>> {
  if (placed.length === 0) return new Set()
  const rows = await db
    .select({ id: rollouts.id })
    .from(rollouts)
    .innerJoin(
      flagConfigs,
      and(
        eq(flagConfigs.flagId, rollouts.flagId),
        eq(flagConfigs.environmentId, rollouts.environmentId),
        eq(flagConfigs.enabled, false),
      ),
    )
    .where(
      inArray(
        rollouts.id,
        placed.map(({ row }) => row.id),
      ),
    )
  return new Set(rows.map(({ id }) => id))
}

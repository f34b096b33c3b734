import { limits } from '@telltale/core/limits'
import { and, eq, inArray, isNotNull, isNull, lt, max, or, sql } from 'drizzle-orm'
import { guardServers } from '../../platform/engines/postgres/guard-schema.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { rollouts } from '../../platform/engines/postgres/rollout-schema.ts'
import { flagConfigs } from '../../platform/engines/postgres/schema.ts'
import type { PlacedRollout } from '../rollouts/queries.ts'

/** Leases use the database clock, so a wrong clock on a server has no effect. */
const later = (span: number) => sql`now() + make_interval(secs => ${span / 1_000})`
const isHeld = sql`${rollouts.leasedUntil} > now()`

export interface Lease {
  holder: string
  span: number
}

/** Takes all running rollouts without a valid lease, and renews those of this server. */
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

/** Leases one rollout before it runs: no guard looks at it until the lease expires or is returned. */
export async function takeLease(db: Db, id: string, { holder, span }: Lease): Promise<void> {
  await db
    .update(rollouts)
    .set({ leaseHolder: holder, leasedUntil: later(span) })
    .where(eq(rollouts.id, id))
}

/** Rollouts that this server still holds. */
export async function findHeld(db: Queryable, holder: string): Promise<Set<string>> {
  const rows = await db
    .select({ id: rollouts.id })
    .from(rollouts)
    .where(and(eq(rollouts.leaseHolder, holder), isHeld))
  return new Set(rows.map(({ id }) => id))
}

/** Returns the leases so that other servers need not wait for them to expire. */
export async function returnLeases(db: Db, holder: string): Promise<void> {
  await db
    .update(rollouts)
    .set({ leaseHolder: null, leasedUntil: null })
    .where(eq(rollouts.leaseHolder, holder))
  await db.delete(guardServers).where(eq(guardServers.server, holder))
}

/** Stores the spool lag of this server and returns the largest lag of all servers seen lately. */
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

/** The largest lag of all servers seen lately. */
export async function findSpoolLag(db: Queryable): Promise<number> {
  const [found] = await db
    .select({ most: max(guardServers.spoolLag) })
    .from(guardServers)
    .where(sql`${guardServers.at} > ${later(-limits.guardServerSilent)}`)
  return found?.most ?? 0
}

/** Running rollouts whose flag is off in their environment. */
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

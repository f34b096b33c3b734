// Appends committed audit entries to the hash chain, in the order in which they were queued. Not in the transaction
// that writes an entry: the chain has one end, so every change of the product would wait for the one before.

import { chainStart, type Link, sealEntry } from '@telltale/core/audit/chain'
import { limits } from '@telltale/core/limits'
import { asc, desc, eq, inArray, sql } from 'drizzle-orm'
import { advisoryLocks } from '../../platform/engines/postgres/advisory-locks.ts'
import { auditEntries, auditSeals, auditUnsealed } from '../../platform/engines/postgres/audit-schema.ts'
import type { Db, Queryable, Transaction } from '../../platform/engines/postgres/open.ts'
import { sha256, toSealable } from './entry.ts'

/** Ends before a shutdown stops waiting; the next run continues. */
const longestRun = 1_000

/** Seals what is queued, for up to a second; nothing while another server does. */
export async function sealEntries(db: Db): Promise<void> {
  const startedAt = performance.now()
  const waiting = () => db.select({ number: auditUnsealed.number }).from(auditUnsealed).limit(1)
  while ((await waiting()).length > 0) {
    const count = await db.transaction(sealBatch)
    if (count < limits.auditSealBatch || performance.now() - startedAt > longestRun) return
  }
}

/** Returns how many it sealed. Its transaction commits all of them, or none. */
export async function sealBatch(db: Transaction): Promise<number> {
  const { rows } = await db.execute<{ locked: boolean }>(
    sql`SELECT pg_try_advisory_xact_lock(${advisoryLocks.auditSeals}) AS locked`,
  )
  if (rows[0]?.locked !== true) return 0

  // Not by a join with a missing entry: it stays in the queue, where a verification finds it.
  const queued = await db
    .select({ number: auditUnsealed.number, entry: auditEntries })
    .from(auditUnsealed)
    .innerJoin(auditEntries, eq(auditEntries.id, auditUnsealed.entryId))
    .orderBy(asc(auditUnsealed.number))
    .limit(limits.auditSealBatch)
  if (queued.length === 0) return 0

  let last = await findEnd(db)
  const seals = queued.map(({ entry }) => {
    const seal = sealEntry(last, toSealable(entry), sha256)
    last = seal
    return seal
  })
  await db.insert(auditSeals).values(
    seals.map(({ position, entryId, factsHash, detailsHash, hash }) => ({
      position,
      entryId,
      factsHash: Buffer.from(factsHash, 'hex'),
      detailsHash: Buffer.from(detailsHash, 'hex'),
      hash: Buffer.from(hash, 'hex'),
    })),
  )
  const numbers = queued.map(({ number }) => number)
  await db.delete(auditUnsealed).where(inArray(auditUnsealed.number, numbers))
  return queued.length
}

/** The last place in the chain. */
export async function findEnd(db: Queryable): Promise<Link> {
  const [end] = await db
    .select({ position: auditSeals.position, hash: auditSeals.hash })
    .from(auditSeals)
    .orderBy(desc(auditSeals.position))
    .limit(1)
  return end
    ? { position: end.position, hash: Buffer.from(end.hash).toString('hex') }
    : { position: 0, hash: chainStart }
}

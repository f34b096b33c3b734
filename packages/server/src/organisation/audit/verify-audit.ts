// Verifies the hash chain of the audit log from its first position to its last, page by page.

import {
  type ChainFault,
  chainStart,
  checkSeal,
  hashEntry,
  type Link,
  type Sealable,
} from '@telltale/core/audit/chain'
import { limits } from '@telltale/core/limits'
import { asc, eq, gt, sql } from 'drizzle-orm'
import { auditEntries, auditSeals, auditUnsealed } from '../../platform/engines/postgres/audit-schema.ts'
import type { Db, Transaction } from '../../platform/engines/postgres/open.ts'
import { sha256, toSealable } from './entry.ts'

export interface BrokenEntry {
  fault: ChainFault | 'unchained-entry' | 'missing-head'
  /** Null if it never had one. */
  position: number | null
  entryId: string | null
  /** The entry as it is now, if there is one. */
  entry: Sealable | undefined
}

export interface AuditVerdict {
  /** The last position that is intact; its hash, kept elsewhere, proves later that nothing was cut off. */
  end: Link
  /** Positions that seal an entry again after an erasure changed its texts. */
  erased: number
  /** Entries of about the last second. */
  unsealed: number
  broken: BrokenEntry | undefined
}

/** In one snapshot: entries that are written meanwhile are not in it. `head` must be the hash of a position. */
export async function verifyAudit(
  db: Db,
  { head }: { head?: string | undefined } = {},
): Promise<AuditVerdict> {
  return db.transaction(
    async (transaction) => {
      // The last comparison reads the whole log at once.
      await transaction.execute(sql`SET LOCAL statement_timeout = '10min'`)
      return verify(transaction, head)
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

async function verify(db: Transaction, head: string | undefined): Promise<AuditVerdict> {
  let end: Link = { position: 0, hash: chainStart }
  let erased = 0
  let hasHead = head === undefined
  const verdict = async (broken?: BrokenEntry): Promise<AuditVerdict> => ({
    end,
    erased,
    unsealed: await db.$count(auditUnsealed),
    broken,
  })

  for (;;) {
    const page = await findSeals(db, end.position)
    for (const { seal: row, entry: entryRow, isReplaced } of page) {
      const seal = {
        position: row.position,
        entryId: row.entryId,
        factsHash: toHex(row.factsHash),
        detailsHash: toHex(row.detailsHash),
        hash: toHex(row.hash),
      }
      const entry = entryRow ? toSealable(entryRow) : undefined
      const fault = checkSeal(end, { seal, entry, isReplaced }, sha256)
      if (fault !== undefined && !(await isBeingErased(db, fault, { seal, entry }))) {
        return verdict({ fault, position: end.position + 1, entryId: seal.entryId, entry })
      }
      end = seal
      if (isReplaced) erased += 1
      if (seal.hash === head) hasHead = true
    }
    if (page.length < limits.auditPage) break
  }
  if (!hasHead) return verdict({ fault: 'missing-head', position: null, entryId: null, entry: undefined })
  return verdict(await findUnchained(db))
}

const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function findSeals(db: Transaction, after: number) {
  return db
    .select({
      seal: auditSeals,
      entry: auditEntries,
      isReplaced: sql<boolean>`EXISTS (
        SELECT FROM audit_seals later
        WHERE later.entry_id = ${auditSeals.entryId} AND later.position > ${auditSeals.position})`,
    })
    .from(auditSeals)
    .leftJoin(auditEntries, eq(auditEntries.id, auditSeals.entryId))
    .where(gt(auditSeals.position, after))
    .orderBy(asc(auditSeals.position))
    .limit(limits.auditPage)
}

/** An erasure changed the texts of the entry, and its new seal waits in the queue. */
async function isBeingErased(
  db: Transaction,
  fault: ChainFault,
  { seal, entry }: { seal: { entryId: string; factsHash: string }; entry: Sealable | undefined },
): Promise<boolean> {
  if (fault !== 'changed-entry' || entry === undefined) return false
  if (hashEntry(entry, sha256).factsHash !== seal.factsHash) return false
  return (await db.$count(auditUnsealed, eq(auditUnsealed.entryId, seal.entryId))) > 0
}

/** An entry that was removed before it was sealed, or one that was written around the queue. */
async function findUnchained(db: Transaction): Promise<BrokenEntry | undefined> {
  const removed = await db
    .select({ entryId: auditUnsealed.entryId })
    .from(auditUnsealed)
    .where(sql`NOT EXISTS (SELECT FROM audit_entries e WHERE e.id = ${auditUnsealed.entryId})`)
    .limit(1)
  if (removed[0]) {
    return { fault: 'missing-entry', position: null, entryId: removed[0].entryId, entry: undefined }
  }
  const [added] = await db
    .select()
    .from(auditEntries)
    .where(
      sql`NOT EXISTS (SELECT FROM audit_seals s WHERE s.entry_id = ${auditEntries.id})
        AND NOT EXISTS (SELECT FROM audit_unsealed u WHERE u.entry_id = ${auditEntries.id})`,
    )
    .limit(1)
  return added && { fault: 'unchained-entry', position: null, entryId: added.id, entry: toSealable(added) }
}

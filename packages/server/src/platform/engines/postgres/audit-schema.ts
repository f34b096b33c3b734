// The tables of the audit log.

import { bigint, bigserial, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, id, instant } from './columns.ts'

export interface AuditActor {
  kind: 'user' | 'token' | 'guard' | 'setup-file' | 'host' | 'system'
  id: string | null
  name: string
}

export interface AuditChange {
  pointer: string
  before?: unknown
  after?: unknown
}

/**
 * Append-only: a trigger rejects changes. Names are copied, so that entries outlive their entities. A migration must
 * not change entries either: their seals would no longer match.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: id(),
    at: instant('at').notNull(),
    actor: jsonb('actor').$type<AuditActor>().notNull(),
    action: text('action').notNull(),
    entityKind: text('entity_kind').notNull(),
    entityId: text('entity_id').notNull(),
    entityName: text('entity_name').notNull(),
    projectId: uuid('project_id'),
    projectKey: text('project_key'),
    environmentId: uuid('environment_id'),
    environmentKey: text('environment_key'),
    changes: jsonb('changes').$type<AuditChange[]>().notNull(),
    reason: text('reason'),
    requestId: text('request_id'),
  },
  (table) => [
    index('audit_entries_project').on(table.projectId, table.id),
    index('audit_entries_entity').on(table.entityKind, table.entityId, table.id),
  ],
)

/** The hash chain over the entries, append-only. An entry whose texts an erasure changed is sealed again. */
export const auditSeals = pgTable(
  'audit_seals',
  {
    /** From 1, without gaps. */
    position: bigint('position', { mode: 'number' }).primaryKey(),
    entryId: uuid('entry_id').notNull(),
    /** What never changes in the entry. */
    factsHash: bytes('facts_hash').notNull(),
    /** Its texts, which an erasure may change. */
    detailsHash: bytes('details_hash').notNull(),
    /** Of the above and the hash of the position before. */
    hash: bytes('hash').notNull(),
  },
  (table) => [index('audit_seals_entry').on(table.entryId, table.position)],
)

/** Entries that wait for their seal; a trigger queues them in the transaction that writes them. */
export const auditUnsealed = pgTable('audit_unsealed', {
  number: bigserial('number', { mode: 'number' }).primaryKey(),
  entryId: uuid('entry_id').notNull(),
})

// The table of the audit log.

import { index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'

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

/** Append-only: a trigger rejects changes. Names are copied, so that entries outlive their entities. */
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

// Erasures. Only hashes of the user's ids are kept, as long as late events may arrive.

import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import { environments } from './schema.ts'

export interface ErasedSubject {
  targetingKeys: string[]
  anonymousIds: string[]
}

const environmentId = () =>
  uuid('environment_id')
    .notNull()
    .references(() => environments.id, { onDelete: 'cascade' })

export const erasures = pgTable(
  'erasures',
  {
    id: id(),
    environmentId: environmentId(),
    /** Null when no more events are expected. */
    subject: jsonb('subject').$type<ErasedSubject>(),
    person: text('person').notNull(),
    requestedBy: text('requested_by').notNull(),
    requestedAt: instant('requested_at').notNull(),
    erasedAt: instant('erased_at'),
    blockedUntil: instant('blocked_until').notNull(),
    /** When the tables are checked again; null for never. */
    nextSweepAt: instant('next_sweep_at'),
    /** When the tables were checked again and were empty. */
    checkedAt: instant('checked_at'),
    /** When the files were last rewritten, by the store's clock. */
    rewrittenAt: instant('rewritten_at'),
    /** When the earlier files were gone from the disk. */
    offDiskAt: instant('off_disk_at'),
    /** When PostgreSQL's files were last rewritten; null again if there is something new to remove. */
    clearedAt: instant('cleared_at'),
    /** When the earlier files of the spool were gone. */
    spoolClearedAt: instant('spool_cleared_at'),
    /** Configuration that still contains an id of the user, such as `flag checkout`. */
    namedIn: text('named_in').array().notNull().default(sql`'{}'`),
    /** Deleted rows by table. */
    rows: jsonb('rows').$type<Record<string, number>>().notNull(),
  },
  (table) => [
    index('erasures_environment').on(table.environmentId, table.id),
    index('erasures_next_sweep').on(table.nextSweepAt),
  ],
)

/** Hashes of ids whose events are rejected. */
export const erasedIds = pgTable(
  'erased_ids',
  {
    environmentId: environmentId(),
    hash: text('hash').notNull(),
    blockedUntil: instant('blocked_until').notNull(),
  },
  (table) => [primaryKey({ name: 'erased_ids_pk', columns: [table.environmentId, table.hash] })],
)

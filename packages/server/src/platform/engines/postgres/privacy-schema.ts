// Who was erased. Of the person only hashes stay, and those for as long as something may still come late.

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
    /** Null once nothing more is expected. */
    subject: jsonb('subject').$type<ErasedSubject>(),
    person: text('person').notNull(),
    requestedBy: text('requested_by').notNull(),
    requestedAt: instant('requested_at').notNull(),
    erasedAt: instant('erased_at'),
    blockedUntil: instant('blocked_until').notNull(),
    /** When the tables are looked through again; null when never. */
    nextSweepAt: instant('next_sweep_at'),
    /** When the tables were looked through once more, and held nothing. */
    checkedAt: instant('checked_at'),
    /** When the files were last written anew, by the clock of the store. */
    rewrittenAt: instant('rewritten_at'),
    /** When the files that had been there before were gone from the disk. */
    offDiskAt: instant('off_disk_at'),
    /** When the files of PostgreSQL were last written anew; null again when there is something new to clear. */
    clearedAt: instant('cleared_at'),
    /** When the files of the spool that were there before were gone. */
    spoolClearedAt: instant('spool_cleared_at'),
    /** What people configured and that names the person still, such as `flag checkout`. */
    namedIn: text('named_in').array().notNull().default(sql`'{}'`),
    /** Deleted rows by table. */
    rows: jsonb('rows').$type<Record<string, number>>().notNull(),
  },
  (table) => [
    index('erasures_environment').on(table.environmentId, table.id),
    index('erasures_next_sweep').on(table.nextSweepAt),
  ],
)

/** Hashes of ids whose events are refused. */
export const erasedIds = pgTable(
  'erased_ids',
  {
    environmentId: environmentId(),
    hash: text('hash').notNull(),
    blockedUntil: instant('blocked_until').notNull(),
  },
  (table) => [primaryKey({ name: 'erased_ids_pk', columns: [table.environmentId, table.hash] })],
)

// Evaluation counts of flags. Written in batches, after the requests; a crash loses a few seconds at most.

import { bigint, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments, flags } from './schema.ts'

/** A result of a flag in an environment, and when it was first and last served. */
export const evaluationSeries = pgTable(
  'evaluation_series',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    flagId: uuid('flag_id')
      .notNull()
      .references(() => flags.id, { onDelete: 'cascade' }),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    /** Null for an error. */
    variation: text('variation'),
    reason: text('reason').notNull(),
    /** The split that decided it, if any. */
    splitId: bigint('split_id', { mode: 'bigint' }),
    epoch: integer('epoch'),
    firstAt: instant('first_at').notNull(),
    lastAt: instant('last_at').notNull(),
  },
  (table) => [
    unique('evaluation_series_outcome')
      .on(table.flagId, table.environmentId, table.variation, table.reason, table.splitId, table.epoch)
      .nullsNotDistinct(),
    index('evaluation_series_arm').on(table.splitId, table.epoch),
  ],
)

/**
 * Evaluations of a series in the minute, hour or day that starts at an instant. Rows of deleted flags expire:
 * deleting a flag does not wait for them.
 */
export const evaluationCounts = pgTable(
  'evaluation_counts',
  {
    seriesId: bigint('series_id', { mode: 'bigint' }).notNull(),
    grain: text('grain', { enum: ['minute', 'hour', 'day'] }).notNull(),
    at: instant('at').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ name: 'evaluation_counts_pk', columns: [table.seriesId, table.grain, table.at] }),
    index('evaluation_counts_age').on(table.grain, table.at),
  ],
)

/** Reports of clients that count on their own, so that one that is sent twice counts once. Deleted after a day. */
export const evaluationReports = pgTable(
  'evaluation_reports',
  {
    environmentId: uuid('environment_id').notNull(),
    id: uuid('id').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'evaluation_reports_pk', columns: [table.environmentId, table.id] }),
    index('evaluation_reports_received').on(table.receivedAt),
  ],
)

// Runs of the nightly cleanup. A night is one row, whichever server runs it and however often it is restarted.

import { bigint, date, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const retentionNights = pgTable('retention_nights', {
  /** The day in UTC. */
  night: date('night').primaryKey(),
  state: text('state', { enum: ['running', 'done', 'unfinished', 'failed', 'held'] }).notNull(),
  startedAt: instant('started_at').notNull(),
  endedAt: instant('ended_at'),
  reason: text('reason'),
  /** The lease of the running server. After it expires, another server may continue. */
  lease: uuid('lease').notNull(),
  leaseUntil: instant('lease_until').notNull(),
})

export const retentionRemovals = pgTable(
  'retention_removals',
  {
    night: date('night')
      .notNull()
      .references(() => retentionNights.night, { onDelete: 'cascade' }),
    /** May have been deleted. */
    environmentId: uuid('environment_id').notNull(),
    kind: text('kind', { enum: ['events', 'replays', 'profiles', 'exposures'] }).notNull(),
    reason: text('reason', { enum: ['days', 'budget', 'deleted'] }).notNull(),
    rows: bigint('rows', { mode: 'number' }).notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({
      name: 'retention_removals_pk',
      columns: [table.night, table.environmentId, table.kind, table.reason],
    }),
    index('retention_removals_environment').on(table.environmentId, table.night),
  ],
)

/** Telemetry to be deleted at night. */
export const deletedEnvironments = pgTable('deleted_environments', {
  id: uuid('id').primaryKey(),
  deletedAt: instant('deleted_at').notNull(),
})

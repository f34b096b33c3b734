// What projects use. Written in batches, after the requests; a crash loses a few seconds at most.

import { bigint, date, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments, projects } from './schema.ts'

const count = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** Sums of a day in UTC. They outlive the environment and the key, because the project used it. */
export const usageDays = pgTable(
  'usage_days',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    day: date('day').notNull(),
    environmentId: uuid('environment_id').notNull(),
    /** All zeros if it is unknown. */
    keyId: uuid('key_id').notNull(),
    application: text('application').notNull(),
    /** One of `meters`. */
    kind: text('kind').notNull(),
    count: count('count'),
  },
  (table) => [
    primaryKey({
      name: 'usage_days_pk',
      columns: [table.projectId, table.day, table.environmentId, table.keyId, table.application, table.kind],
    }),
    index('usage_days_day').on(table.day),
  ],
)

/** Events of an hour, also those that a quota or a spike dropped: what is usual at that time of the day. */
export const usageHours = pgTable(
  'usage_hours',
  {
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    hour: instant('hour').notNull(),
    events: count('events'),
  },
  (table) => [primaryKey({ name: 'usage_hours_pk', columns: [table.environmentId, table.hour] })],
)

/** Hashes of the sessions of the last days that are counted. Without foreign keys: they are short-lived. */
export const usageSessions = pgTable(
  'usage_sessions',
  {
    environmentId: uuid('environment_id').notNull(),
    session: bigint('session', { mode: 'bigint' }).notNull(),
    at: instant('at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'usage_sessions_pk', columns: [table.environmentId, table.session] }),
    index('usage_sessions_age').on(table.at),
  ],
)

/** The sizes of the engines at the end of a day. */
export const diskSamples = pgTable('disk_samples', {
  day: date('day').primaryKey(),
  /** Null if the store did not respond all day. */
  telemetryBytes: bigint('telemetry_bytes', { mode: 'number' }),
  postgresBytes: count('postgres_bytes'),
})

// The weekly digests of projects. A project without a row has none.

import { boolean, index, integer, pgTable, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'
import { environments, projects } from './schema.ts'

export const digests = pgTable(
  'digests',
  {
    projectId: uuid('project_id')
      .primaryKey()
      .references(() => projects.id, { onDelete: 'cascade' }),
    enabled: boolean('enabled').notNull(),
    /** Null when it was deleted: nothing is sent. */
    environmentId: uuid('environment_id').references(() => environments.id, { onDelete: 'set null' }),
    weekday: integer('weekday').notNull(),
    hour: integer('hour').notNull(),
    channels: uuid('channels').array().notNull(),
    /** Null while it is off. */
    nextAt: instant('next_at'),
    lastSentAt: instant('last_sent_at'),
    version: integer('version').notNull(),
  },
  (table) => [index('digests_due').on(table.nextAt)],
)

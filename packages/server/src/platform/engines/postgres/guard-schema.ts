// What each server of an installation knows that the guard cannot see from where it runs.

import { bigint, index, pgTable, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const guardServers = pgTable(
  'guard_servers',
  {
    server: uuid('server').primaryKey(),
    /** How far its spool is behind, in milliseconds. */
    spoolLag: bigint('spool_lag', { mode: 'number' }).notNull(),
    /** By the clock of the database. */
    at: instant('at').notNull(),
  },
  (table) => [index('guard_servers_age').on(table.at)],
)

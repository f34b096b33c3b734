// Per-server state that the guard cannot observe from its own server.

import { bigint, index, pgTable, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

export const guardServers = pgTable(
  'guard_servers',
  {
    server: uuid('server').primaryKey(),
    /** The delay of its spool in milliseconds. */
    spoolLag: bigint('spool_lag', { mode: 'number' }).notNull(),
    /** By the database's clock. */
    at: instant('at').notNull(),
  },
  (table) => [index('guard_servers_age').on(table.at)],
)

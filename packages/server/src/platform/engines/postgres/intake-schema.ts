// Telemetry batches received by any server, for deduplication across servers.

import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Without foreign keys: the intake identifies an environment by its key, and claims are short-lived. */
export const intakeBatches = pgTable(
  'intake_batches',
  {
    environmentId: uuid('environment_id').notNull(),
    batchId: uuid('batch_id').notNull(),
    serverId: uuid('server_id').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'intake_batches_pk', columns: [table.environmentId, table.batchId] }),
    index('intake_batches_age').on(table.receivedAt),
  ],
)

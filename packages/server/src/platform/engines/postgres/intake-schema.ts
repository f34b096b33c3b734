// Batches of telemetry that a server took, when several servers share one window of them.

import { index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { instant } from './columns.ts'

/** Without references: the intake knows an environment by its key, and claims outlive nothing. */
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

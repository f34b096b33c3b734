// Addresses that deploys are reported to from outside. The secret is needed to check signatures, so it is encrypted, not hashed.

import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments } from './schema.ts'
import { sealedText } from './sealed-text.ts'

export const deployHooks = pgTable('deploy_hooks', {
  id: id(),
  environmentId: uuid('environment_id')
    .notNull()
    .unique()
    .references(() => environments.id, { onDelete: 'cascade' }),
  secret: sealedText('deploy_hooks', 'secret').notNull(),
  createdBy: text('created_by').notNull(),
  createdAt: createdAt(),
  lastDeliveryAt: instant('last_delivery_at'),
  lastResult: text('last_result'),
})

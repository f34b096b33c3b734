import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, createdAt } from './columns.ts'

/** Answers kept for repeated requests, sealed with the key that the client holds. */
export const idempotentReplies = pgTable(
  'idempotent_replies',
  {
    keyHash: text('key_hash').primaryKey(),
    requestHash: text('request_hash').notNull(),
    sealedReply: bytes('sealed_reply').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('idempotent_replies_created').on(table.createdAt)],
)

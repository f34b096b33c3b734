// Secrets that sign the users of an environment, and how many requests were signed.

import { bigint, date, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments } from './schema.ts'
import { sealedText } from './sealed-text.ts'

const environmentId = () =>
  uuid('environment_id')
    .notNull()
    .references(() => environments.id, { onDelete: 'cascade' })

export const signingSecrets = pgTable(
  'signing_secrets',
  {
    id: id(),
    environmentId: environmentId(),
    /** Encrypted, not hashed, because a signature can only be checked with it. */
    secret: sealedText('signing_secrets', 'secret').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('signing_secrets_environment').on(table.environmentId, table.id)],
)

const count = (name: string) => bigint(name, { mode: 'number' }).notNull()

/** Requests of browsers that named a user, per day in UTC. */
export const signedUserCounts = pgTable(
  'signed_user_counts',
  {
    environmentId: environmentId(),
    day: date('day').notNull(),
    source: text('source', { enum: ['flags', 'telemetry'] }).notNull(),
    signed: count('signed'),
    unsigned: count('unsigned'),
    invalid: count('invalid'),
    expired: count('expired'),
    /** The latest that was not signed. */
    refusableAt: instant('refusable_at'),
    refusableVerdict: text('refusable_verdict', { enum: ['unsigned', 'invalid', 'expired'] }),
  },
  (table) => [
    primaryKey({ name: 'signed_user_counts_pk', columns: [table.environmentId, table.day, table.source] }),
  ],
)

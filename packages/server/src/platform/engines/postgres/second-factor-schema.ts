// Second factors of accounts, and the challenges that are answered with them.

import { bigint, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { bytes, createdAt, id, instant } from './columns.ts'

export const passkeys = pgTable(
  'passkeys',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    credentialId: text('credential_id').notNull(),
    publicKey: bytes('public_key').notNull(),
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [
    uniqueIndex('passkeys_credential').on(table.credentialId),
    index('passkeys_user').on(table.userId),
  ],
)

/** Deleted when they are used. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

export const challenges = pgTable(
  'challenges',
  {
    id: id(),
    /** Null for a sign-in with a passkey, which names the user. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    purpose: text('purpose', { enum: ['sign-in', 'confirmation', 'registration'] }).notNull(),
    tokenHash: text('token_hash').notNull(),
    passkeyChallenge: text('passkey_challenge').notNull(),
    attempts: integer('attempts').notNull().default(0),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('challenges_token').on(table.tokenHash),
    index('challenges_user').on(table.userId),
    index('challenges_created').on(table.createdAt),
  ],
)

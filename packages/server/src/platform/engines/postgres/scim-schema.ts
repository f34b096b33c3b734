// SCIM: tokens of identity providers, their last requests, and what a provider knows of an account.

import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'

export const scimTokens = pgTable(
  'scim_tokens',
  {
    id: id(),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull(),
    /** The name of the owner, who may leave. */
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [uniqueIndex('scim_tokens_hash').on(table.hash)],
)

export type ScimTokenRow = typeof scimTokens.$inferSelect

/** The last ones of each token. */
export const scimRequests = pgTable(
  'scim_requests',
  {
    id: id(),
    tokenId: uuid('token_id')
      .notNull()
      .references(() => scimTokens.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    method: text('method').notNull(),
    /** Such as `Users`: never an id, a name or a filter. */
    resource: text('resource').notNull(),
    status: integer('status').notNull(),
    /** Why it was refused. */
    detail: text('detail'),
  },
  (table) => [index('scim_requests_token').on(table.tokenId, table.id)],
)

export type ScimRequestRow = typeof scimRequests.$inferSelect

/** Accounts that a provider created or took over. */
export const scimUsers = pgTable(
  'scim_users',
  {
    userId: uuid('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    userName: text('user_name').notNull(),
    externalId: text('external_id'),
    displayName: text('display_name'),
    formatted: text('formatted'),
    givenName: text('given_name'),
    familyName: text('family_name'),
  },
  (table) => [
    uniqueIndex('scim_users_user_name').on(sql`lower(${table.userName})`),
    index('scim_users_external_id').on(table.externalId),
  ],
)

export type ScimUserRow = typeof scimUsers.$inferSelect

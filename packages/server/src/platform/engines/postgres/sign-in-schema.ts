// Accounts of sign-in providers, sign-ins in progress, and the sessions that they began.

import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { loginSessions, users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'
import { sealedText } from './sealed-text.ts'
import { signInProviders } from './sign-in-provider-schema.ts'

const providerId = () =>
  uuid('provider_id')
    .notNull()
    .references(() => signInProviders.id, { onDelete: 'cascade' })

/** Which account of a provider signs in to which user. */
export const providerAccounts = pgTable(
  'provider_accounts',
  {
    providerId: providerId(),
    /** `sub`: the only claim that never changes. */
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    lastUsedAt: instant('last_used_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'provider_accounts_pk', columns: [table.providerId, table.subject] }),
    uniqueIndex('provider_accounts_user').on(table.userId, table.providerId),
  ],
)

/** A browser that was sent to a provider. Deleted when it returns. */
export const signInFlows = pgTable(
  'sign_in_flows',
  {
    id: id(),
    providerId: providerId(),
    purpose: text('purpose', { enum: ['sign-in', 'confirmation', 'test'] }).notNull(),
    stateHash: text('state_hash').notNull(),
    /** Of the cookie of the browser. */
    browserHash: text('browser_hash').notNull(),
    nonce: text('nonce').notNull(),
    codeVerifier: text('code_verifier').notNull(),
    redirectUri: text('redirect_uri').notNull(),
    returnTo: text('return_to'),
    /** The session to confirm. */
    sessionId: uuid('session_id').references(() => loginSessions.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('sign_in_flows_state').on(table.stateHash),
    index('sign_in_flows_created').on(table.createdAt),
  ],
)

/** What a session knows of the provider that began it. */
export const providerSessions = pgTable(
  'provider_sessions',
  {
    sessionId: uuid('session_id')
      .primaryKey()
      .references(() => loginSessions.id, { onDelete: 'cascade' }),
    providerId: providerId(),
    subject: text('subject').notNull(),
    /** `sid`: the session at the provider. */
    providerSession: text('provider_session'),
    /** Names the session when signing out at the provider. */
    idToken: text('id_token').notNull(),
    refreshToken: sealedText('provider_sessions', 'refresh_token'),
    /** When groups are read again; null without a refresh token. */
    refreshAt: instant('refresh_at'),
    leasedUntil: instant('leased_until'),
    failures: integer('failures').notNull().default(0),
  },
  (table) => [
    index('provider_sessions_subject').on(table.providerId, table.subject),
    index('provider_sessions_due').on(table.refreshAt),
  ],
)

/** Logout tokens that were used: none works twice. */
export const usedLogoutTokens = pgTable(
  'used_logout_tokens',
  {
    providerId: providerId(),
    tokenId: text('token_id').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [primaryKey({ name: 'used_logout_tokens_pk', columns: [table.providerId, table.tokenId] })],
)

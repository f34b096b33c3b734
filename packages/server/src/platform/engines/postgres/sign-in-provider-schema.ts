// Sign-in providers (OpenID Connect) of the installation.

import type { ProviderGrant } from '@telltale/core/contract/sign-in-providers'
import { boolean, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, managed } from './columns.ts'
import { sealedText } from './sealed-text.ts'

export const signInProviders = pgTable(
  'sign_in_providers',
  {
    id: id(),
    key: text('key').notNull(),
    buttonText: text('button_text').notNull(),
    issuer: text('issuer').notNull(),
    clientId: text('client_id').notNull(),
    clientAuth: text('client_auth', {
      enum: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    }).notNull(),
    /** Encrypted, not hashed, because it is sent or signed with. Never shown again, never in the audit log. */
    secret: sealedText('sign_in_providers', 'secret').notNull(),
    /** The `kid` of the private key. */
    keyId: text('key_id'),
    scopes: text('scopes').array().notNull(),
    /** Domains of e-mail addresses, in lower case. */
    domains: text('domains').array().notNull(),
    acceptsUnverified: boolean('accepts_unverified').notNull(),
    groupsClaim: text('groups_claim'),
    grants: jsonb('grants').$type<ProviderGrant[]>().notNull(),
    reauthenticates: boolean('reauthenticates').notNull(),
    enabled: boolean('enabled').notNull(),
    testedAt: instant('tested_at'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    managed: managed(),
  },
  (table) => [uniqueIndex('sign_in_providers_key').on(table.key)],
)

export type SignInProviderRow = typeof signInProviders.$inferSelect

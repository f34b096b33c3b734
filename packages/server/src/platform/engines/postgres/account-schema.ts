// The tables of accounts and sign-in.

import { sql } from 'drizzle-orm'
import { bigint, boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant, managed } from './columns.ts'
import { sealedText } from './sealed-text.ts'
import { signInProviders } from './sign-in-provider-schema.ts'

export const users = pgTable(
  'users',
  {
    id: id(),
    email: text('email').notNull(),
    name: text('name').notNull(),
    passwordHash: text('password_hash').notNull(),
    role: text('role', { enum: ['owner', 'member'] }).notNull(),
    disabledAt: instant('disabled_at'),
    createdAt: createdAt(),
    lastSeenAt: instant('last_seen_at'),
    /** Whether comments that mention them are mailed. */
    mentionMail: boolean('mention_mail').notNull().default(true),
    managed: managed(),
    /** The sign-in provider whose groups made them an owner. */
    roleFrom: uuid('role_from').references(() => signInProviders.id, { onDelete: 'set null' }),
    /** Whether a confirmed app or a passkey exists. */
    secondFactor: boolean('second_factor').notNull().default(false),
    /** Of an authenticator app, in Base32. */
    totpSecret: sealedText('users', 'totp_secret'),
    totpConfirmedAt: instant('totp_confirmed_at'),
    /** The time step of the last code that was used: no code works twice. */
    totpLastStep: bigint('totp_last_step', { mode: 'number' }),
  },
  (table) => [uniqueIndex('users_email').on(sql`lower(${table.email})`)],
)

export const loginSessions = pgTable(
  'login_sessions',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    /** The hash before the last rotation: valid for a moment, afterwards a sign of a stolen cookie. */
    previousTokenHash: text('previous_token_hash'),
    createdAt: createdAt(),
    rotatedAt: instant('rotated_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    userAgent: text('user_agent').notNull(),
    /** Of the last use; empty before the first. */
    address: text('address').notNull().default(''),
    /** When a second factor last proved it. */
    confirmedAt: instant('confirmed_at'),
  },
  (table) => [
    uniqueIndex('login_sessions_token').on(table.tokenHash),
    index('login_sessions_previous_token').on(table.previousTokenHash),
    index('login_sessions_user').on(table.userId),
  ],
)

/** Browsers and systems with which a user has signed in. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    device: text('device').notNull(),
    firstAt: instant('first_at').notNull(),
    /** Whether the user is still to be told about it by mail. */
    mailDue: boolean('mail_due').notNull(),
  },
  (table) => [
    primaryKey({ name: 'known_devices_pk', columns: [table.userId, table.device] }),
    index('known_devices_due').on(table.firstAt).where(sql`${table.mailDue}`),
  ],
)

export const passwordResets = pgTable(
  'password_resets',
  {
    id: id(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    tokenHash: text('token_hash').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    uniqueIndex('password_resets_token').on(table.tokenHash),
    index('password_resets_user').on(table.userId),
  ],
)

export type UserRow = typeof users.$inferSelect

/** A new account, or one whose second factor was reset. */
export const noSecondFactor = {
  secondFactor: false,
  totpSecret: null,
  totpConfirmedAt: null,
  totpLastStep: null,
} as const satisfies Partial<UserRow>

// Columns shared by several tables.

import { limits } from '@telltale/core/limits'
import { secondFactorPolicies } from '@telltale/core/permissions'
import { sql } from 'drizzle-orm'
import { bigint, boolean, customType, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { sealedText } from './sealed-text.ts'

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })
export const id = () => uuid('id').primaryKey()
export const createdAt = () => instant('created_at').notNull()
/** Declared with `"manage": true` in the setup file, therefore read-only everywhere else. */
export const managed = () => boolean('managed').notNull().default(false)

const lifetime = (name: string, usual: number) => bigint(name, { mode: 'number' }).notNull().default(usual)

/** What an installation requires of the sessions of members: a second factor, and how long they last. */
export const sessionRules = () => ({
  secondFactor: text('second_factor', { enum: [...secondFactorPolicies] })
    .notNull()
    .default('optional'),
  sessionIdle: lifetime('session_idle_ms', limits.sessionIdle),
  sessionMaximum: lifetime('session_maximum_ms', limits.sessionMaximum),
})

/** Signs links to the toolbar: 244 random bits. */
export const toolbarSecret = () =>
  sealedText('environments', 'toolbar_secret')
    .notNull()
    .default(sql`gen_random_uuid()::text || gen_random_uuid()::text`)

/** Whether users named by browsers must be signed. */
export const signedUsersMode = (name: string) =>
  text(name, { enum: ['off', 'count', 'require'] })
    .notNull()
    .default('off')

// Columns shared by several tables.

import { boolean, customType, text, timestamp, uuid } from 'drizzle-orm/pg-core'

export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'date', precision: 3 })
export const id = () => uuid('id').primaryKey()
export const createdAt = () => instant('created_at').notNull()
/** Declared with `"manage": true` in the setup file, therefore read-only everywhere else. */
export const managed = () => boolean('managed').notNull().default(false)

/** Whether users named by browsers must be signed. */
export const signedUsersMode = (name: string) =>
  text(name, { enum: ['off', 'count', 'require'] })
    .notNull()
    .default('off')

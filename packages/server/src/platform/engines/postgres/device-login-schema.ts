// Devices that wait for someone to approve their sign-in.

import { pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'

export const deviceLogins = pgTable(
  'device_logins',
  {
    id: id(),
    deviceHash: text('device_hash').notNull(),
    userCode: text('user_code').notNull(),
    name: text('name').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    state: text('state', { enum: ['waiting', 'approved', 'refused'] }).notNull(),
    /** Who approved or refused it. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Of the token that it gets: the key of its project, its role and its end. */
    project: text('project'),
    role: text('role'),
    tokenExpiresAt: instant('token_expires_at'),
  },
  (table) => [
    uniqueIndex('device_logins_device').on(table.deviceHash),
    uniqueIndex('device_logins_code').on(table.userCode),
  ],
)

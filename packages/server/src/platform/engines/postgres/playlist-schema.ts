// Playlists of sessions. The sessions themselves are in the telemetry store, and may be deleted there at any time.

import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments } from './schema.ts'

const environmentId = () =>
  uuid('environment_id')
    .notNull()
    .references(() => environments.id, { onDelete: 'cascade' })

export const playlists = pgTable(
  'playlists',
  {
    id: id(),
    environmentId: environmentId(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [uniqueIndex('playlists_name').on(table.environmentId, table.name)],
)

export const playlistSessions = pgTable(
  'playlist_sessions',
  {
    playlistId: uuid('playlist_id')
      .notNull()
      .references(() => playlists.id, { onDelete: 'cascade' }),
    sessionId: uuid('session_id').notNull(),
    /** For the erasure of a user, which finds their sessions by environment. */
    environmentId: environmentId(),
    position: integer('position').notNull(),
    note: text('note').notNull(),
    addedBy: text('added_by').notNull(),
    addedAt: instant('added_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.playlistId, table.sessionId] }),
    index('playlist_sessions_session').on(table.environmentId, table.sessionId),
  ],
)

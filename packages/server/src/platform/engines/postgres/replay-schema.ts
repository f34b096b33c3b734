// Members' decisions about replays: which are kept beyond their retention, and notes. The recordings are in the
// telemetry store.

import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments } from './schema.ts'

const environmentId = () =>
  uuid('environment_id')
    .notNull()
    .references(() => environments.id, { onDelete: 'cascade' })

export const keptReplays = pgTable(
  'kept_replays',
  {
    environmentId: environmentId(),
    sessionId: uuid('session_id').notNull(),
    reason: text('reason').notNull(),
    keptAt: instant('kept_at').notNull(),
    keptBy: text('kept_by').notNull(),
  },
  (table) => [primaryKey({ columns: [table.environmentId, table.sessionId] })],
)

export const replayNotes = pgTable(
  'replay_notes',
  {
    id: id(),
    environmentId: environmentId(),
    sessionId: uuid('session_id').notNull(),
    /** The moment of the note. */
    at: instant('at').notNull(),
    text: text('text').notNull(),
    author: text('author').notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('replay_notes_session').on(table.environmentId, table.sessionId)],
)

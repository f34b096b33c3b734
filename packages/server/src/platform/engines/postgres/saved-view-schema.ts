// Saved views of lists, and which of them a member has pinned or made the default.

import { viewScreens } from '@telltale/core/contract/saved-views'
import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'
import { projects } from './schema.ts'

export const savedViews = pgTable(
  'saved_views',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    screen: text('screen', { enum: [...viewScreens] }).notNull(),
    name: text('name').notNull(),
    search: text('search').notNull(),
    shared: boolean('shared').notNull(),
    /** A shared view outlives its owner. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    ownerName: text('owner_name').notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('saved_views_project').on(table.projectId, table.ownerId)],
)

export const savedViewMarks = pgTable(
  'saved_view_marks',
  {
    viewId: uuid('view_id')
      .notNull()
      .references(() => savedViews.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    isDefault: boolean('is_default').notNull(),
    isPinned: boolean('is_pinned').notNull(),
  },
  (table) => [primaryKey({ columns: [table.viewId, table.userId] })],
)

// Dashboards of projects. Tiles are read and written as one, so that two edits conflict.

import type { DashboardDraft } from '@telltale/core/contract/dashboards'
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'
import { projects } from './schema.ts'

export const dashboards = pgTable(
  'dashboards',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description').notNull(),
    tiles: jsonb('tiles').$type<DashboardDraft['tiles']>().notNull(),
    defaults: jsonb('defaults').$type<DashboardDraft['defaults']>().notNull(),
    /** A dashboard outlives its owner. */
    ownerId: uuid('owner_id').references(() => users.id, { onDelete: 'set null' }),
    ownerName: text('owner_name').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [index('dashboards_project').on(table.projectId, table.id)],
)

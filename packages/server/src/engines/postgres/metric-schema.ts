// Metrics that people define over the custom events of their applications. Those that are built in stand in the code.

import { doublePrecision, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from './columns.ts'
import { projects } from './schema.ts'

export const metrics = pgTable(
  'metrics',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    name: text('name').notNull(),
    event: text('event').notNull(),
    aggregation: text('aggregation', { enum: ['proportion', 'mean', 'count'] }).notNull(),
    better: text('better', { enum: ['lower', 'higher'] }).notNull(),
    unit: text('unit').notNull(),
    cap: doublePrecision('cap').notNull(),
    defaultLimit: doublePrecision('default_limit').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('metrics_key').on(table.projectId, table.key)],
)

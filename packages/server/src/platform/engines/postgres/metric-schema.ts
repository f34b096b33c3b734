// Custom metrics over custom events, and the project's default limits of built-in metrics, which are defined in code.

import type { OwnAggregation } from '@telltale/core/guard/built-in-metrics'
import { doublePrecision, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
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
    /** Which of the events count, in the filter language; empty for all. */
    filter: text('filter').notNull().default(''),
    aggregation: text('aggregation').$type<OwnAggregation>().notNull(),
    /** For a percentile, and for the cap of a total. */
    quantile: doublePrecision('quantile'),
    better: text('better', { enum: ['lower', 'higher'] }).notNull(),
    unit: text('unit').notNull(),
    cap: doublePrecision('cap').notNull(),
    defaultLimit: doublePrecision('default_limit').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('metrics_key').on(table.projectId, table.key)],
)

/** The project's default limit of a built-in metric; without a row, the product's default. */
export const metricLimits = pgTable(
  'metric_limits',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    defaultLimit: doublePrecision('default_limit').notNull(),
    version: integer('version').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.key] })],
)

// Holdouts: a share of the users of an environment that gets no flag's changes, to measure all of them together.

import type { HoldoutResults } from '@telltale/core/contract/holdouts'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments, projects } from './schema.ts'

export const holdouts = pgTable(
  'holdouts',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** Of 100 000. */
    share: integer('share').notNull(),
    /** The ids of the flags that it covers; null for all. */
    flagIds: jsonb('flag_ids').$type<string[]>(),
    /** The planned duration. */
    days: integer('days'),
    /** What happens after it. */
    whenOver: text('when_over', { enum: ['continue', 'end', 'repeat'] }).notNull(),
    /** The key of the holdout that it was started after. */
    follows: text('follows'),
    state: text('state', { enum: ['running', 'ended'] }).notNull(),
    salt: text('salt').notNull(),
    /** The number of its hidden split in the telemetry tables. */
    split: text('split').notNull(),
    /** How its metrics are measured: fixed at its start. */
    judged: jsonb('judged').$type<JudgedMetric[]>().notNull(),
    /** Kept at the end, because events expire. */
    results: jsonb('results').$type<HoldoutResults>(),
    createdBy: text('created_by').notNull(),
    endedBy: text('ended_by'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
    endedAt: instant('ended_at'),
  },
  (table) => [
    uniqueIndex('holdouts_key').on(table.projectId, table.key),
    index('holdouts_environment').on(table.environmentId),
  ],
)

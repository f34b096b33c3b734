// Rollout templates: named plans of guarded rollouts.

import type { RolloutTemplate } from '@telltale/core/contract/rollout-templates'
import {
  bigint,
  boolean,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { projects } from './schema.ts'

export const rolloutTemplates = pgTable(
  'rollout_templates',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** Their shares are those of the users of both variations. */
    stages: jsonb('stages').$type<RolloutTemplate['stages']>().notNull(),
    metrics: jsonb('metrics').$type<RolloutTemplate['metrics']>().notNull(),
    alpha: doublePrecision('alpha').notNull(),
    timeBox: bigint('time_box', { mode: 'number' }).notNull(),
    whenUndecided: text('when_undecided').$type<RolloutTemplate['whenUndecided']>().notNull(),
    freshDraw: boolean('fresh_draw').notNull(),
    version: integer('version').notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [uniqueIndex('rollout_templates_key').on(table.projectId, table.key)],
)

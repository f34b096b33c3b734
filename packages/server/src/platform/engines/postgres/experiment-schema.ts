// Experiments: their plans, what was fixed at the start, and the results kept at the end.

import type { ExperimentResults } from '@telltale/core/contract/experiments'
import type { JudgedGoal } from '@telltale/core/guard/experiment/judged-goal'
import type { ExperimentState } from '@telltale/core/states/experiment'
import { index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments, flags, projects } from './schema.ts'

/** A goal as members set it. */
export interface PlannedGoal {
  /** Of a funnel: the key by which the results name it. */
  metric: string
  gain: number
  margin: number
  /** Milliseconds after the first exposure. */
  window?: number | undefined
  funnel?: { name: string; steps: string } | undefined
}

/** A division of users, of which running experiments hold disjoint shares. */
export const layers = pgTable(
  'layers',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** The attribute that it divides by. */
    by: text('by').notNull(),
    salt: text('salt').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [uniqueIndex('layers_key').on(table.projectId, table.key)],
)

export const experiments = pgTable(
  'experiments',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    flagId: uuid('flag_id')
      .notNull()
      .references(() => flags.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    hypothesis: text('hypothesis').notNull(),
    /** The id of a rule, or `fallthrough`. */
    place: text('place').notNull(),
    control: text('control').notNull(),
    goals: jsonb('goals').$type<PlannedGoal[]>().notNull(),
    /** Null without a layer. */
    layerId: uuid('layer_id').references(() => layers.id, { onDelete: 'set null' }),
    /** Of 100 000. */
    layerShare: integer('layer_share'),
    /** What it has held in the layer since its start. */
    layerRanges: jsonb('layer_ranges').$type<[number, number][]>(),
    /** The planned duration. */
    days: integer('days'),
    state: text('state').$type<ExperimentState>().notNull(),
    /** How its goals are measured, in their order: fixed at the start; null before. */
    judged: jsonb('judged').$type<JudgedGoal[]>(),
    by: text('by'),
    split: text('split'),
    firstEpoch: integer('first_epoch'),
    /** The last epoch that counts; null while it runs. */
    lastEpoch: integer('last_epoch'),
    decision: jsonb('decision').$type<{ variation: string | null; note: string }>(),
    /** Kept at the end, because events expire. */
    results: jsonb('results').$type<ExperimentResults>(),
    createdBy: text('created_by').notNull(),
    startedBy: text('started_by'),
    endedBy: text('ended_by'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    /** Since when channels know that it no longer gets users; null while it does. */
    interruptedAt: instant('interrupted_at'),
  },
  (table) => [
    uniqueIndex('experiments_name').on(table.projectId, table.name),
    index('experiments_flag').on(table.flagId, table.environmentId),
  ],
)

// Guarded rollouts: what was agreed, where each stands, what it lays over the configuration of its flag, and everything
// that was decided. Entries of the log are never changed.

import type { Split } from '@telltale/core/contract/flag-config'
import type { GapEvidence } from '@telltale/core/contract/gap-evidence'
import type { Finding } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import type { ComparisonQuality } from '@telltale/core/guard/quality'
import type { Decision, Rollout, RolloutPlan } from '@telltale/core/guard/rollout'
import type { RolloutState } from '@telltale/core/states/rollout'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'
import { environments, flags, projects } from './schema.ts'

/** A metric of a plan, with the one number that people set. */
export type PlannedMetric = RolloutPlan['metrics'][number] & { limit: number }
export type RolloutDraft = Omit<RolloutPlan, 'metrics' | 'startedBy'> & {
  metrics: PlannedMetric[]
  /** Its start assigns users anew. */
  freshDraw?: boolean
}

/** The latest look of the guard. */
export interface Seen {
  at: string
  units: { treatment: number; control: number }
  findings: readonly Finding[]
  quality?: ComparisonQuality | undefined
}

const userId = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

export const rollouts = pgTable(
  'rollouts',
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
    /** The id of a rule, or `fallthrough`. */
    place: text('place').notNull(),
    control: text('control').notNull(),
    treatment: text('treatment').notNull(),
    /** The unit: the attribute that the split buckets on. */
    by: text('by').notNull(),
    reason: text('reason'),
    draft: jsonb('draft').$type<RolloutDraft>().notNull(),
    /** How its metrics are measured: frozen when it starts; null before. */
    judged: jsonb('judged').$type<JudgedMetric[]>(),
    state: text('state').$type<RolloutState>().notNull(),
    /** Counts up with every decision, and with every change of the draft: who decides says which one they saw. */
    turn: integer('turn').notNull(),
    rollout: jsonb('rollout').$type<Rollout>().notNull(),
    /** What is served at its place instead of what is saved there; null unless it is running. */
    overlay: jsonb('overlay').$type<Split>(),
    /** The id of the split, and the first and the last of its epochs that count as evidence; null before the start. */
    split: text('split'),
    firstEpoch: integer('first_epoch'),
    lastEpoch: integer('last_epoch'),
    seen: jsonb('seen').$type<Seen>(),
    draftedBy: userId('drafted_by'),
    startedBy: userId('started_by'),
    startedByName: text('started_by_name'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    /** The server that looks after it, and until when nobody else does. */
    leaseHolder: text('lease_holder'),
    leasedUntil: instant('leased_until'),
  },
  (table) => [
    index('rollouts_project').on(table.projectId, table.id),
    index('rollouts_flag').on(table.flagId, table.environmentId, table.id),
    // One guard for each split.
    uniqueIndex('rollouts_running')
      .on(table.environmentId, table.flagId, table.place)
      .where(sql`${table.overlay} IS NOT NULL`),
  ],
)

/** The decision log. What came too late stands there too, with the reason why it was refused. */
export const rolloutDecisions = pgTable(
  'rollout_decisions',
  {
    id: id(),
    rolloutId: uuid('rollout_id')
      .notNull()
      .references(() => rollouts.id, { onDelete: 'cascade' }),
    /** Which turn it led to; of what was refused, the turn that stood. */
    turn: integer('turn').notNull(),
    at: instant('at').notNull(),
    stage: integer('stage').notNull(),
    evidence: integer('evidence').notNull(),
    action: text('action').notNull(),
    reason: text('reason').notNull(),
    metric: text('metric'),
    /** The state it led to. */
    state: text('state').$type<RolloutState>().notNull(),
    /** A person; null: the guard. */
    byId: userId('by_id'),
    byName: text('by_name'),
    comment: text('comment'),
    refused: text('refused'),
    findings: jsonb('findings').$type<Decision['findings']>().notNull(),
  },
  (table) => [index('rollout_decisions_rollout').on(table.rolloutId, table.id)],
)

/** What the guard saw over time, thinned: charts are drawn from it, also when telemetry is long gone. */
export const rolloutHistory = pgTable(
  'rollout_history',
  {
    rolloutId: uuid('rollout_id')
      .notNull()
      .references(() => rollouts.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    stage: integer('stage').notNull(),
    evidence: integer('evidence').notNull(),
    units: jsonb('units').$type<Seen['units']>().notNull(),
    findings: jsonb('findings').$type<readonly Finding[]>().notNull(),
  },
  (table) => [primaryKey({ name: 'rollout_history_pk', columns: [table.rolloutId, table.at] })],
)

/** Where the gap was when a rollout was rolled back: read once, because events go and decisions stay. */
export const rolloutEvidence = pgTable(
  'rollout_evidence',
  {
    rolloutId: uuid('rollout_id')
      .notNull()
      .references(() => rollouts.id, { onDelete: 'cascade' }),
    metric: text('metric').notNull(),
    at: instant('at').notNull(),
    found: jsonb('found').$type<GapEvidence>().notNull(),
  },
  (table) => [primaryKey({ name: 'rollout_evidence_pk', columns: [table.rolloutId, table.metric] })],
)

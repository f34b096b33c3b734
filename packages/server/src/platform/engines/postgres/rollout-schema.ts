// Guarded rollouts: their plans, states, served splits, and decision logs. Entries of the log are never changed.

import type { Approval } from '@telltale/core/changes/approvals'
import type { Split } from '@telltale/core/contract/flag-config'
import type { GapEvidence } from '@telltale/core/contract/gap-evidence'
import type { ExclusionRule } from '@telltale/core/evaluation/exclusion-rules'
import type { SeenFix } from '@telltale/core/guard/judge-fix'
import type { Finding } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import type { ComparisonQuality } from '@telltale/core/guard/quality'
import type { Decision, Rollout, RolloutPlan } from '@telltale/core/guard/rollout'
import type { RolloutProof } from '@telltale/core/guard/rollout-proof'
import type { Slice } from '@telltale/core/guard/slice'
import type { RolloutState } from '@telltale/core/states/rollout'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'
import { environments, flags, projects } from './schema.ts'

/** A metric of a plan, with the one number that members set. */
export type PlannedMetric = RolloutPlan['metrics'][number] & { limit: number }
export type RolloutDraft = Omit<RolloutPlan, 'metrics' | 'startedBy'> & {
  metrics: PlannedMetric[]
  /** Its start reassigns users. */
  freshDraw?: boolean
}

/** The latest look of the guard. */
export interface Seen {
  at: string
  units: { treatment: number; control: number }
  findings: readonly Finding[]
  quality?: ComparisonQuality | undefined
  /** Of a rollout with a proof, in the order of its harms. */
  fixes?: readonly SeenFix[] | undefined
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
    /** How its metrics are measured: frozen at its start; null before. */
    judged: jsonb('judged').$type<JudgedMetric[]>(),
    state: text('state').$type<RolloutState>().notNull(),
    /** Incremented with every decision and every change of the draft. A decision names the turn it is based on. */
    turn: integer('turn').notNull(),
    rollout: jsonb('rollout').$type<Rollout>().notNull(),
    /** The served split in place of the saved one; null unless it is running. */
    overlay: jsonb('overlay').$type<Split>(),
    /** Slices excluded now, served as rules before the place; null for most. */
    exclusions: jsonb('exclusions').$type<ExclusionRule[]>(),
    /** The id of the split, and the first and last of its epochs that are evidence; null before the start. */
    split: text('split'),
    firstEpoch: integer('first_epoch'),
    lastEpoch: integer('last_epoch'),
    seen: jsonb('seen').$type<Seen>(),
    /** What it has to prove after a rollback; null for most. */
    proof: jsonb('proof').$type<RolloutProof>(),
    draftedBy: userId('drafted_by'),
    /** Of the draft; each names the turn that was read. */
    approvals: jsonb('approvals').$type<Approval[]>().notNull().default([]),
    startedBy: userId('started_by'),
    startedByName: text('started_by_name'),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
    /** The server that owns it, and until when no other server may. */
    leaseHolder: text('lease_holder'),
    leasedUntil: instant('leased_until'),
  },
  (table) => [
    index('rollouts_project').on(table.projectId, table.id),
    index('rollouts_flag').on(table.flagId, table.environmentId, table.id),
    // One guard per split.
    uniqueIndex('rollouts_running')
      .on(table.environmentId, table.flagId, table.place)
      .where(sql`${table.overlay} IS NOT NULL`),
  ],
)

/** The decision log. Includes decisions that came too late, with the reason of their rejection. */
export const rolloutDecisions = pgTable(
  'rollout_decisions',
  {
    id: id(),
    rolloutId: uuid('rollout_id')
      .notNull()
      .references(() => rollouts.id, { onDelete: 'cascade' }),
    /** The resulting turn; for a rejected decision, the current one. */
    turn: integer('turn').notNull(),
    at: instant('at').notNull(),
    stage: integer('stage').notNull(),
    evidence: integer('evidence').notNull(),
    action: text('action').notNull(),
    reason: text('reason').notNull(),
    metric: text('metric'),
    /** The slice of users that it is about; null for most. */
    slice: jsonb('slice').$type<Slice>(),
    /** The resulting state. */
    state: text('state').$type<RolloutState>().notNull(),
    /** A member; null: the guard. */
    byId: userId('by_id'),
    byName: text('by_name'),
    comment: text('comment'),
    refused: text('refused'),
    findings: jsonb('findings').$type<Decision['findings']>().notNull(),
  },
  (table) => [index('rollout_decisions_rollout').on(table.rolloutId, table.id)],
)

/** The guard's observations over time, thinned out: the source of charts, even after the telemetry has expired. */
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

/** The explanation of a rollback: computed once, because events expire and decisions are kept. */
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

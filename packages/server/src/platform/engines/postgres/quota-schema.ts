// Quotas of projects and keys, and when they or a spike reduced what is stored.

import { quotaLevels, quotaMeters, quotaPeriods } from '@telltale/core/usage/decide-quota'
import { bigint, boolean, date, index, pgTable, real, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments, projects, sdkKeys } from './schema.ts'

const projectId = () =>
  uuid('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })

export const quotas = pgTable(
  'quotas',
  {
    id: id(),
    projectId: projectId(),
    /** Null: the whole project. */
    keyId: uuid('key_id').references(() => sdkKeys.id, { onDelete: 'cascade' }),
    meter: text('meter', { enum: [...quotaMeters] }).notNull(),
    period: text('period', { enum: [...quotaPeriods] }).notNull(),
    most: bigint('most', { mode: 'number' }).notNull(),
    /** What was reported last, and for the period that began on this day. */
    toldLevel: text('told_level', { enum: [...quotaLevels] }).notNull(),
    toldPeriod: date('told_period'),
    createdAt: createdAt(),
  },
  (table) => [
    unique('quotas_meter').on(table.projectId, table.keyId, table.meter, table.period).nullsNotDistinct(),
  ],
)

/** Times in which less was stored. Those without an end apply now. */
export const usageSamplings = pgTable(
  'usage_samplings',
  {
    id: id(),
    projectId: projectId(),
    /** Null for a quota. */
    environmentId: uuid('environment_id').references(() => environments.id, { onDelete: 'cascade' }),
    /** Null unless it is the quota of a key. */
    keyId: uuid('key_id').references(() => sdkKeys.id, { onDelete: 'cascade' }),
    quotaId: uuid('quota_id').references(() => quotas.id, { onDelete: 'set null' }),
    reason: text('reason', { enum: ['quota', 'spike'] }).notNull(),
    share: real('share').notNull(),
    pausesRecording: boolean('pauses_recording').notNull(),
    beganAt: instant('began_at').notNull(),
    endedAt: instant('ended_at'),
    /** Of a spike: since when its rate is measured, at last its end, and the events of that hour until then. */
    markedAt: instant('marked_at').notNull(),
    markedEvents: bigint('marked_events', { mode: 'number' }).notNull(),
  },
  (table) => [index('usage_samplings_project').on(table.projectId, table.beganAt)],
)

// Channels, deliveries and their attempts, and alert rules on telemetry. A delivery is inserted in the transaction of
// its event, so that exactly the committed events are delivered.

import type { AlertRule } from '@telltale/core/contract/alerts'
import type { Notice } from '@telltale/core/notices/notice'
import type { AlertStanding } from '@telltale/core/states/alert'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments, projects } from './schema.ts'
import { sealedText } from './sealed-text.ts'

const projectId = () =>
  uuid('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })

export const channels = pgTable(
  'channels',
  {
    id: id(),
    projectId: projectId(),
    kind: text('kind', { enum: ['webhook', 'slack', 'email'] }).notNull(),
    name: text('name').notNull(),
    url: text('url'),
    addresses: text('addresses').array().notNull(),
    /** Encrypted, not hashed, for signing. Never shown again, never in the audit log. */
    secret: sealedText('channels', 'secret'),
    events: text('events').array().notNull(),
    /** Environment keys; empty means all. */
    environments: text('environments').array().notNull(),
    enabled: boolean('enabled').notNull(),
    /** Turned off automatically, because deliveries failed for too long. */
    disabledAsFailing: boolean('disabled_as_failing').notNull().default(false),
    failingSince: instant('failing_since'),
    lastDeliveredAt: instant('last_delivered_at'),
    lastFailure: text('last_failure'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('channels_name').on(table.projectId, table.name)],
)

export const deliveries = pgTable(
  'deliveries',
  {
    id: id(),
    channelId: uuid('channel_id')
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    noticeId: uuid('notice_id').notNull(),
    event: text('event').notNull(),
    notice: jsonb('notice').$type<Notice>().notNull(),
    /** `withheld`: stored, and only sent on request. */
    state: text('state', { enum: ['waiting', 'delivered', 'failed', 'withheld'] }).notNull(),
    /** Since it last started waiting. */
    tries: integer('tries').notNull().default(0),
    nextAt: instant('next_at').notNull(),
    leasedUntil: instant('leased_until'),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (table) => [
    index('deliveries_channel').on(table.channelId, table.id),
    index('deliveries_due').on(table.nextAt).where(sql`${table.state} = 'waiting'`),
    index('deliveries_waiting').on(table.channelId).where(sql`${table.state} = 'waiting'`),
    index('deliveries_age').on(table.createdAt),
  ],
)

/** How far the audit log was streamed to a channel that subscribes to it. */
export const auditStreams = pgTable('audit_streams', {
  channelId: uuid('channel_id')
    .primaryKey()
    .references(() => channels.id, { onDelete: 'cascade' }),
  /** Of the chain: entries up to here have arrived. */
  position: bigint('position', { mode: 'number' }).notNull(),
  /** The last position of the delivery below. */
  until: bigint('until', { mode: 'number' }).notNull(),
  /** The last batch; null if all of it arrived. */
  deliveryId: uuid('delivery_id'),
})

export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    id: id(),
    deliveryId: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    duration: integer('duration').notNull(),
    status: integer('status'),
    /** Null on success. */
    failure: text('failure'),
    answer: text('answer').notNull(),
  },
  (table) => [index('delivery_attempts_delivery').on(table.deliveryId, table.id)],
)

/** The result of the last evaluation. */
export interface AlertSeen {
  at: string
  value: number | null
  before: number | null
  change: number | null
  events: number
  why: string | null
}

export const alertRules = pgTable(
  'alert_rules',
  {
    id: id(),
    projectId: projectId(),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    rule: jsonb('rule').$type<AlertRule>().notNull(),
    /** The events of an event-based rule; evaluated with every change. */
    events: text('events').array().notNull(),
    channels: uuid('channels').array().notNull(),
    /** Null for an event-based rule, which has no state. */
    standing: jsonb('standing').$type<AlertStanding>(),
    state: text('state', { enum: ['ok', 'firing', 'no-data'] }).notNull(),
    seen: jsonb('seen').$type<AlertSeen>(),
    nextAt: instant('next_at'),
    leasedUntil: instant('leased_until'),
    mutedUntil: instant('muted_until'),
    createdByName: text('created_by_name').notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('alert_rules_name').on(table.projectId, table.name),
    index('alert_rules_due').on(table.nextAt),
  ],
)

export const alertIncidents = pgTable(
  'alert_incidents',
  {
    id: id(),
    alertId: uuid('alert_id')
      .notNull()
      .references(() => alertRules.id, { onDelete: 'cascade' }),
    startedAt: instant('started_at').notNull(),
    /** Null while it is open. */
    endedAt: instant('ended_at'),
    ending: text('ending', { enum: ['recovered', 'changed', 'event'] }),
    value: doublePrecision('value'),
    change: doublePrecision('change'),
    /** The value furthest beyond the threshold. */
    worst: doublePrecision('worst'),
    summary: text('summary').notNull(),
    /** For an incident that is an event: its page in the console. */
    path: text('path'),
    isMuted: boolean('is_muted').notNull(),
  },
  (table) => [
    index('alert_incidents_alert').on(table.alertId, table.id),
    uniqueIndex('alert_incidents_open').on(table.alertId).where(sql`${table.endedAt} IS NULL`),
  ],
)

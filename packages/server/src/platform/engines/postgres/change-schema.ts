// Pending changes: waiting for approval, for their time, or for both. Completed ones are kept.

import type { Approval } from '@telltale/core/changes/approvals'
import type { ConfigPatch, FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { type ChangeRequestAction, changeRequestStates } from '@telltale/core/states/change-request'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import type { AuditActor } from './audit-schema.ts'
import { createdAt, id, instant } from './columns.ts'
import { apiTokens, environments, flags, projects } from './schema.ts'

const projectId = () =>
  uuid('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })
const environmentId = () =>
  uuid('environment_id')
    .notNull()
    .references(() => environments.id, { onDelete: 'cascade' })
const flagId = () =>
  uuid('flag_id')
    .notNull()
    .references(() => flags.id, { onDelete: 'cascade' })
const userId = (name: string) => uuid(name).references(() => users.id, { onDelete: 'set null' })

export const changeRequests = pgTable(
  'change_requests',
  {
    id: id(),
    projectId: projectId(),
    environmentId: environmentId(),
    flagId: flagId(),
    state: text('state', {
      enum: changeRequestStates,
    }).notNull(),
    /** The version of the configuration that it is based on, and the proposed configuration. */
    baseVersion: integer('base_version').notNull(),
    proposed: jsonb('proposed').$type<FlagConfigDraft>().notNull(),
    reason: text('reason'),
    /** The time at which it is applied once approved; null: manually. */
    scheduledFor: instant('scheduled_for'),
    authorId: userId('author_id'),
    authorName: text('author_name').notNull(),
    reviewers: uuid('reviewers').array().notNull(),
    /** Of the current proposal. */
    approvals: jsonb('approvals').$type<Approval[]>().notNull().default([]),
    /** The version in which the proposal last changed. */
    proposalVersion: integer('proposal_version').notNull().default(1),
    appliedVersion: integer('applied_version'),
    /** Opened by an application of flags as code; the next one replaces it. */
    fromCode: boolean('from_code').notNull().default(false),
    version: integer('version').notNull(),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [
    index('change_requests_project').on(table.projectId, table.id),
    index('change_requests_undecided')
      .on(table.flagId, table.environmentId)
      .where(sql`${table.state} IN ('open', 'approved', 'conflicted')`),
    index('change_requests_due').on(table.scheduledFor).where(sql`${table.state} = 'approved'`),
  ],
)

/** The events of a change request. */
export const changeRequestDecisions = pgTable(
  'change_request_decisions',
  {
    id: id(),
    changeRequestId: uuid('change_request_id')
      .notNull()
      .references(() => changeRequests.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    action: text('action').$type<ChangeRequestAction | 'open'>().notNull(),
    actor: jsonb('actor').$type<AuditActor>().notNull(),
    comment: text('comment'),
    /** Of the proposal it was about. */
    version: integer('version'),
  },
  (table) => [index('change_request_decisions_request').on(table.changeRequestId, table.id)],
)

export const scheduledChanges = pgTable(
  'scheduled_changes',
  {
    id: id(),
    projectId: projectId(),
    environmentId: environmentId(),
    flagId: flagId(),
    state: text('state', { enum: ['pending', 'applied', 'failed', 'cancelled'] }).notNull(),
    at: instant('at').notNull(),
    patch: jsonb('patch').$type<ConfigPatch>().notNull(),
    reason: text('reason'),
    authorId: userId('author_id'),
    /** The token that scheduled it: it must still be valid and have the permission. */
    tokenId: uuid('token_id').references(() => apiTokens.id, { onDelete: 'set null' }),
    author: jsonb('author').$type<AuditActor>().notNull(),
    failure: text('failure'),
    appliedVersion: integer('applied_version'),
    version: integer('version').notNull(),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (table) => [
    index('scheduled_changes_project').on(table.projectId, table.id),
    index('scheduled_changes_flag')
      .on(table.flagId, table.environmentId)
      .where(sql`${table.state} = 'pending'`),
    index('scheduled_changes_due').on(table.at).where(sql`${table.state} = 'pending'`),
  ],
)

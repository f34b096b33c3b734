// Error issues: what people decided about groups of errors. The errors themselves stand in the telemetry store.

import { sql } from 'drizzle-orm'
import { type AnyPgColumn, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, instant } from './columns.ts'
import { environments } from './schema.ts'

const environmentId = () =>
  uuid('environment_id')
    .notNull()
    .references(() => environments.id, { onDelete: 'cascade' })

export const issues = pgTable(
  'issues',
  {
    id: id(),
    environmentId: environmentId(),
    type: text('type').notNull(),
    message: text('message').notNull(),
    culprit: text('culprit').notNull(),
    state: text('state', { enum: ['unresolved', 'resolved', 'regressed', 'ignored'] }).notNull(),
    assigneeId: uuid('assignee_id').references(() => users.id, { onDelete: 'set null' }),
    firstSeenAt: instant('first_seen_at').notNull(),
    firstSeenVersion: text('first_seen_version').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    lastSeenVersion: text('last_seen_version').notNull(),
    resolvedAt: instant('resolved_at'),
    resolvedIn: text('resolved_in'),
    /** The versions that were known when it was resolved: old clients may go on failing. */
    toleratedVersions: text('tolerated_versions').array().notNull().default(sql`'{}'`),
    ignoredUntil: instant('ignored_until'),
    /** It turned out to be the same as that one, which has its groups now: its address leads there. */
    mergedInto: uuid('merged_into').references((): AnyPgColumn => issues.id, { onDelete: 'cascade' }),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    index('issues_environment').on(table.environmentId, table.state),
    index('issues_merged').on(table.mergedInto),
  ],
)

/**
 * Which errors are of which issue: what the intake counted as one place belongs to one issue, and so does the place that
 * source maps say it is.
 */
export const issueGroups = pgTable(
  'issue_groups',
  {
    environmentId: environmentId(),
    /** `err_group` of the events, 64 bits without a sign, as text; or, after a word, that of their mapped frames or names. */
    group: text('group').notNull(),
    issueId: uuid('issue_id')
      .notNull()
      .references(() => issues.id, { onDelete: 'cascade' }),
    /** The issue that it was of before people merged that one into this; it goes back there when they split it off. */
    mergedFrom: uuid('merged_from').references(() => issues.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ name: 'issue_groups_pk', columns: [table.environmentId, table.group] }),
    index('issue_groups_issue').on(table.issueId),
  ],
)

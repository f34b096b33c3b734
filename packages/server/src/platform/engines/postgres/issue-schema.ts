// Error issues: members' decisions about groups of errors. The errors themselves are in the telemetry store.

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
    /** The version that it last came back in; stays when it is resolved again. */
    regressedIn: text('regressed_in'),
    /** The known versions when it was resolved: old clients may still fail. */
    toleratedVersions: text('tolerated_versions').array().notNull().default(sql`'{}'`),
    ignoredUntil: instant('ignored_until'),
    /** Merged into that issue, which has its groups now; its address redirects there. */
    mergedInto: uuid('merged_into').references((): AnyPgColumn => issues.id, { onDelete: 'cascade' }),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [
    index('issues_environment').on(table.environmentId, table.state),
    index('issues_merged').on(table.mergedInto),
    index('issues_first_version').on(table.environmentId, table.firstSeenVersion),
    index('issues_regressed').on(table.environmentId, table.regressedIn).where(sql`regressed_in IS NOT NULL`),
  ],
)

/**
 * The issue of each error group: the group computed by the intake, and the group of its source-mapped frames, belong
 * to one issue.
 */
export const issueGroups = pgTable(
  'issue_groups',
  {
    environmentId: environmentId(),
    /**
     * `err_group` of the events, an unsigned 64-bit number as text; or, after a prefix, that of mapped frames or
     * names.
     */
    group: text('group').notNull(),
    issueId: uuid('issue_id')
      .notNull()
      .references(() => issues.id, { onDelete: 'cascade' }),
    /** Its issue before a manual merge; splitting it off returns it there. */
    mergedFrom: uuid('merged_from').references(() => issues.id, { onDelete: 'set null' }),
  },
  (table) => [
    primaryKey({ name: 'issue_groups_pk', columns: [table.environmentId, table.group] }),
    index('issue_groups_issue').on(table.issueId),
  ],
)

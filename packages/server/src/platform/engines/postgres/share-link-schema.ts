// Links that show one thing of a project to people outside of it.

import { shareKinds } from '@telltale/core/contract/share-links'
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments, projects } from './schema.ts'

export const shareLinks = pgTable(
  'share_links',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: [...shareKinds] }).notNull(),
    target: uuid('target').notNull(),
    tokenHash: text('token_hash').notNull(),
    /** A link outlives the membership of who made it. */
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    lastOpenedAt: instant('last_opened_at'),
    opened: integer('opened').notNull().default(0),
  },
  (table) => [
    uniqueIndex('share_links_token').on(table.tokenHash),
    index('share_links_project').on(table.projectId, table.id),
  ],
)

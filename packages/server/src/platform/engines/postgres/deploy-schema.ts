// Deploys of the monitored application, as its pipelines report them.

import { jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { environments } from './schema.ts'

export interface StoredCommit {
  id: string
  message: string
  author?: string
}

export const deploys = pgTable(
  'deploys',
  {
    id: id(),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    version: text('version').notNull(),
    at: instant('at').notNull(),
    author: text('author'),
    link: text('link'),
    commits: jsonb('commits').$type<StoredCommit[]>().notNull(),
    reportedBy: text('reported_by').notNull(),
    createdAt: createdAt(),
  },
  // A pipeline that runs twice reports one deploy.
  (table) => [uniqueIndex('deploys_once').on(table.environmentId, table.at, table.version)],
)

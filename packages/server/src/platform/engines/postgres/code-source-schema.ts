// Flags as code: the folders that were applied to a project, and what they said.

import type { CodeKind } from '@telltale/core/code-kinds'
import { boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import { projects } from './schema.ts'

const projectId = () =>
  uuid('project_id')
    .notNull()
    .references(() => projects.id, { onDelete: 'cascade' })

export const codeSources = pgTable(
  'code_sources',
  {
    id: id(),
    projectId: projectId(),
    /** Empty without a repository. */
    repository: text('repository').notNull(),
    path: text('path').notNull(),
    branch: text('branch').notNull(),
    commit: text('commit').notNull(),
    /** The address of a file at its host, with placeholders. */
    link: text('link'),
    appliedAt: instant('applied_at').notNull(),
    appliedBy: text('applied_by').notNull(),
  },
  (table) => [uniqueIndex('code_sources_folder').on(table.projectId, table.repository, table.path)],
)

/** What the last application of a folder said about an entity. Another folder that names it takes it over. */
export const codeEntries = pgTable(
  'code_entries',
  {
    projectId: projectId(),
    kind: text('kind').$type<CodeKind>().notNull(),
    key: text('key').notNull(),
    sourceId: uuid('source_id')
      .notNull()
      .references(() => codeSources.id, { onDelete: 'cascade' }),
    file: text('file').notNull(),
    /** Complete: with every default. */
    content: jsonb('content').$type<object>().notNull(),
    /** False once it was gone from the folder, and kept. */
    inFolder: boolean('in_folder').notNull(),
  },
  (table) => [
    primaryKey({ name: 'code_entries_pk', columns: [table.projectId, table.kind, table.key] }),
    index('code_entries_source').on(table.sourceId),
  ],
)

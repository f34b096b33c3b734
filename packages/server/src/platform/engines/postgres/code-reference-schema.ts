// Where code names flags: one upload per repository and branch, which the next one replaces.

import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { id, instant } from './columns.ts'
import { projects } from './schema.ts'

export const codeUploads = pgTable(
  'code_uploads',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    repository: text('repository').notNull(),
    branch: text('branch').notNull(),
    isDefault: boolean('is_default').notNull(),
    commit: text('commit').notNull(),
    link: text('link'),
    files: integer('files').notNull(),
    uploadedAt: instant('uploaded_at').notNull(),
    uploadedBy: text('uploaded_by').notNull(),
  },
  (table) => [uniqueIndex('code_uploads_branch').on(table.projectId, table.repository, table.branch)],
)

export const codeReferences = pgTable(
  'code_references',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    uploadId: uuid('upload_id')
      .notNull()
      .references(() => codeUploads.id, { onDelete: 'cascade' }),
    flagKey: text('flag_key').notNull(),
    file: text('file').notNull(),
    line: integer('line').notNull(),
    kind: text('kind').$type<'read' | 'key' | 'name' | 'text'>().notNull(),
    context: text('context').notNull(),
  },
  (table) => [index('code_references_flag').on(table.uploadId, table.flagKey, table.file, table.line)],
)

/** Since when a branch has been without references to a flag that it had, or that was looked for there. */
export const codeFlags = pgTable(
  'code_flags',
  {
    uploadId: uuid('upload_id')
      .notNull()
      .references(() => codeUploads.id, { onDelete: 'cascade' }),
    flagKey: text('flag_key').notNull(),
    goneAt: instant('gone_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.uploadId, table.flagKey] })],
)

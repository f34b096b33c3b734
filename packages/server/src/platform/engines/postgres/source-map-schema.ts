// Source maps, compressed. They are in the control plane, so that every server has them and backups include them.

import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { bytes, id, instant } from './columns.ts'
import { projects } from './schema.ts'

export const sourceMaps = pgTable(
  'source_maps',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** Empty: for any version. */
    version: text('version').notNull(),
    /** A path that begins with a slash. */
    file: text('file').notNull(),
    /** The last part of the path, for the first lookup. */
    name: text('name').notNull(),
    debugId: text('debug_id'),
    hash: text('hash').notNull(),
    size: integer('size').notNull(),
    /** gzip */
    content: bytes('content').notNull(),
    uploadedAt: instant('uploaded_at').notNull(),
    uploadedBy: text('uploaded_by').notNull(),
    /** Earlier errors were mapped again with it. */
    regrouped: boolean('regrouped').notNull().default(false),
  },
  (table) => [
    uniqueIndex('source_maps_file').on(table.projectId, table.version, table.file),
    index('source_maps_name').on(table.projectId, table.name),
    index('source_maps_new').on(table.projectId).where(sql`NOT regrouped`),
  ],
)

// Own roles of projects, and roles of members in single environments.

import type { ProjectPermission } from '@telltale/core/permissions'
import { foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from './columns.ts'
import { environments, memberships, projects } from './schema.ts'

export const projectRoles = pgTable(
  'project_roles',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    permissions: text('permissions').array().$type<ProjectPermission[]>().notNull(),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
  },
  (table) => [uniqueIndex('project_roles_key').on(table.projectId, table.key)],
)

/** What a member is in one environment instead of the role of the membership. */
export const environmentRoles = pgTable(
  'environment_roles',
  {
    projectId: uuid('project_id').notNull(),
    userId: uuid('user_id').notNull(),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
  },
  (table) => [
    primaryKey({ name: 'environment_roles_pk', columns: [table.environmentId, table.userId] }),
    foreignKey({
      name: 'environment_roles_membership',
      columns: [table.projectId, table.userId],
      foreignColumns: [memberships.projectId, memberships.userId],
    }).onDelete('cascade'),
    index('environment_roles_member').on(table.projectId, table.userId),
  ],
)

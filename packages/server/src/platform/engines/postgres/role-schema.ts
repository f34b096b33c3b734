// Own roles of projects, and roles of members and teams in single environments.

import type { ProjectPermission } from '@telltale/core/permissions'
import { foreignKey, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id } from './columns.ts'
import { environments, memberships, projects } from './schema.ts'
import { teamRoles } from './team-schema.ts'

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

/** What the members of a team are in one environment instead of the role of the team. */
export const teamEnvironmentRoles = pgTable(
  'team_environment_roles',
  {
    projectId: uuid('project_id').notNull(),
    teamId: uuid('team_id').notNull(),
    environmentId: uuid('environment_id')
      .notNull()
      .references(() => environments.id, { onDelete: 'cascade' }),
    role: text('role').notNull(),
  },
  (table) => [
    primaryKey({ name: 'team_environment_roles_pk', columns: [table.environmentId, table.teamId] }),
    foreignKey({
      name: 'team_environment_roles_role',
      columns: [table.projectId, table.teamId],
      foreignColumns: [teamRoles.projectId, teamRoles.teamId],
    }).onDelete('cascade'),
    index('team_environment_roles_team').on(table.projectId, table.teamId),
  ],
)

// Teams of the installation: their members, and their roles in projects.

import { boolean, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './account-schema.ts'
import { createdAt, id, managed } from './columns.ts'
import { projects } from './schema.ts'

export const teams = pgTable(
  'teams',
  {
    id: id(),
    key: text('key').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    createdAt: createdAt(),
    managed: managed(),
    /** Whether it is a group of an identity provider, which decides its name and its members. */
    scim: boolean('scim').notNull().default(false),
    externalId: text('external_id'),
  },
  (table) => [uniqueIndex('teams_key').on(table.key)],
)

export type TeamRow = typeof teams.$inferSelect

const teamId = () =>
  uuid('team_id')
    .notNull()
    .references(() => teams.id, { onDelete: 'cascade' })

export const teamMembers = pgTable(
  'team_members',
  {
    teamId: teamId(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ name: 'team_members_pk', columns: [table.teamId, table.userId] }),
    index('team_members_user').on(table.userId),
  ],
)

/** What members of a team are in a project, besides what they are themselves. */
export const teamRoles = pgTable(
  'team_roles',
  {
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    teamId: teamId(),
    role: text('role').notNull(),
    createdAt: createdAt(),
    managed: managed(),
  },
  (table) => [
    primaryKey({ name: 'team_roles_pk', columns: [table.projectId, table.teamId] }),
    index('team_roles_team').on(table.teamId),
  ],
)

export type TeamRoleRow = typeof teamRoles.$inferSelect

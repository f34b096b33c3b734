// Teams: groups of users of the installation, with roles in projects.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { EnvironmentRole, EnvironmentRoles } from './members.ts'
import {
  Email,
  Id,
  Instant,
  Key,
  Name,
  Nothing,
  Nullable,
  Page,
  pageQuery,
  RoleKey,
  Strict,
} from './parameters.ts'

const Description = Type.String({ maxLength: limits.descriptionLength })
const Count = Type.Integer({ minimum: 0 })
const search = { ...pageQuery, search: Type.Optional(Type.String({ maxLength: 100 })) }

const summary = {
  id: Id,
  key: Key,
  name: Name,
  description: Description,
  managed: Type.Boolean(),
  scim: Type.Boolean({ description: 'Whether it is a group of an identity provider.' }),
  members: Count,
}

export const Team = Type.Object({ ...summary, projects: Count, createdAt: Instant })
export type Team = Static<typeof Team>

const TeamRole = Type.Object({
  project: Type.Object({ key: Key, name: Name }),
  role: RoleKey,
  managed: Type.Boolean(),
})

export const TeamMember = Type.Object({
  user: Type.Object({ id: Id, email: Email, name: Name, disabledAt: Nullable(Instant) }),
  since: Instant,
})

export const ProjectTeam = Type.Object({
  team: Type.Object({ ...summary, managed: Type.Boolean({ description: 'Whether the team is managed.' }) }),
  role: RoleKey,
  environments: Type.Array(EnvironmentRole, {
    description: 'Roles in single environments, which hold there instead of `role`.',
  }),
  managed: Type.Boolean({ description: 'Whether the role is declared by the setup file.' }),
  createdAt: Instant,
})

export const listTeams = call({
  method: 'GET',
  path: '/api/v1/teams',
  summary: 'List the teams of the installation, by key.',
  permission: 'installation.manage',
  query: Strict(search),
  reply: Page(Team),
})

export const createTeam = call({
  method: 'POST',
  path: '/api/v1/teams',
  summary: 'Create a team without members.',
  permission: 'installation.manage',
  stepUp: true,
  idempotent: true,
  status: 201,
  body: Strict({ key: Key, name: Name, description: Type.Optional(Description) }),
  reply: Team,
  errors: ['already-exists', 'in-use'],
})

export const getTeam = call({
  method: 'GET',
  path: '/api/v1/teams/:team',
  summary: 'Show a team with its roles in projects.',
  permission: 'installation.manage',
  reply: Type.Object({
    ...Team.properties,
    roles: Type.Array(TeamRole),
    changedBy: Nullable({
      ...Type.Enum(['setup-file', 'identity-provider']),
      description: 'What alone changes the team and its members; null: owners do.',
    }),
  }),
})

export const updateTeam = call({
  method: 'PATCH',
  path: '/api/v1/teams/:team',
  summary: 'Change the name or the description of a team.',
  permission: 'installation.manage',
  stepUp: true,
  body: Strict({ name: Type.Optional(Name), description: Type.Optional(Description) }),
  reply: Team,
  errors: ['managed', 'wrong-state'],
})

export const deleteTeam = call({
  method: 'DELETE',
  path: '/api/v1/teams/:team',
  summary: 'Delete a team. Its members lose the roles that it gave them; their accounts stay.',
  permission: 'installation.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
  errors: ['managed', 'wrong-state'],
})

export const listTeamMembers = call({
  method: 'GET',
  path: '/api/v1/teams/:team/members',
  summary: 'List the members of a team, by e-mail.',
  permission: 'installation.manage',
  query: Strict(search),
  reply: Page(TeamMember),
})

export const addTeamMember = call({
  method: 'PUT',
  path: '/api/v1/teams/:team/members/:user',
  summary: 'Add a user to a team. They get its roles immediately.',
  permission: 'installation.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
  errors: ['managed', 'wrong-state', 'in-use'],
})

export const removeTeamMember = call({
  method: 'DELETE',
  path: '/api/v1/teams/:team/members/:user',
  summary: 'Remove a user from a team. They lose its roles immediately.',
  permission: 'installation.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
  errors: ['managed', 'wrong-state'],
})

export const listProjectTeams = call({
  method: 'GET',
  path: '/api/v1/projects/:project/teams',
  summary: 'List the teams with a role in a project, by key.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(ProjectTeam) }),
})

export const listAvailableTeams = call({
  method: 'GET',
  path: '/api/v1/projects/:project/available-teams',
  summary: 'List the teams that have no role in a project yet, by key.',
  permission: 'members.manage',
  query: Strict(search),
  reply: Page(Type.Object({ key: Key, name: Name, members: Count })),
})

export const setTeamRole = call({
  method: 'PUT',
  path: '/api/v1/projects/:project/teams/:team',
  summary: 'Give a team a role in a project, or in single environments, or change it.',
  permission: 'members.manage',
  stepUp: true,
  body: Strict({ role: RoleKey, environments: Type.Optional(EnvironmentRoles) }),
  reply: ProjectTeam,
  errors: ['managed', 'in-use'],
})

export const removeTeamRole = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/teams/:team',
  summary: 'Take the role of a team in a project. The team stays.',
  permission: 'members.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
  errors: ['managed'],
})

export const teamCalls = {
  listTeams,
  createTeam,
  getTeam,
  updateTeam,
  deleteTeam,
  listTeamMembers,
  addTeamMember,
  removeTeamMember,
  listProjectTeams,
  listAvailableTeams,
  setTeamRole,
  removeTeamRole,
}

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
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

export const EnvironmentRole = Strict({ env: Key, role: RoleKey })
export const EnvironmentRoles = Type.Array(EnvironmentRole, {
  maxItems: limits.environmentsPerProject,
  description:
    'Roles in single environments, which hold there instead of `role`. Replaces the existing ones.',
})

export const Member = Type.Object({
  user: Type.Object({
    id: Id,
    email: Email,
    name: Name,
    disabledAt: Nullable(Instant),
    lastSeenAt: Nullable(Instant),
  }),
  role: Type.String({
    description: 'The role that allows most, directly or by a team. They apply together.',
  }),
  direct: Nullable(
    Type.String({ description: 'Key of the role given to the member alone, besides those by teams.' }),
  ),
  teams: Type.Array(
    Type.Object({ key: Key, name: Name, role: RoleKey, environments: Type.Array(EnvironmentRole) }),
  ),
  environments: Type.Array(EnvironmentRole, {
    description: 'Roles in single environments, which hold there instead of `role`.',
  }),
  createdAt: Instant,
  managed: Type.Boolean(),
  byGroup: Type.Boolean({ description: 'Whether a group of a sign-in provider gives the role.' }),
})

export const listMembers = call({
  method: 'GET',
  path: '/api/v1/projects/:project/members',
  summary: 'List the members of a project, by e-mail: directly, or by teams.',
  permission: 'project.view',
  query: Strict({ ...pageQuery, search: Type.Optional(Type.String({ maxLength: 100 })) }),
  reply: Type.Object({
    ...Page(Member).properties,
    /** Owners of the installation: they can work in every project without being a member. */
    owners: Type.Array(Type.Object({ id: Id, name: Name })),
  }),
})

export const addMember = call({
  method: 'POST',
  path: '/api/v1/projects/:project/members',
  summary: 'Add a user with an account. Invite everyone else.',
  permission: 'members.manage',
  stepUp: true,
  idempotent: true,
  status: 201,
  body: Strict({ email: Email, role: RoleKey, environments: Type.Optional(EnvironmentRoles) }),
  reply: Member,
  errors: ['not-found', 'already-exists', 'in-use'],
})

export const updateMember = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/members/:user',
  summary: 'Change the role of a member in the project, or in single environments.',
  permission: 'members.manage',
  stepUp: true,
  body: Strict({ role: Type.Optional(RoleKey), environments: Type.Optional(EnvironmentRoles) }),
  reply: Member,
  errors: ['managed', 'wrong-state'],
})

export const removeMember = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/members/:user',
  summary: 'Remove a member from the project. The account stays.',
  permission: 'members.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
  errors: ['managed', 'wrong-state'],
})

export const memberCalls = { listMembers, addMember, updateMember, removeMember }

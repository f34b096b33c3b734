import { Type } from 'typebox'
import { projectRoles } from '../permissions.ts'
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
  ProjectRole,
  pageQuery,
  Strict,
} from './parameters.ts'

export const Member = Type.Object({
  user: Type.Object({
    id: Id,
    email: Email,
    name: Name,
    disabledAt: Nullable(Instant),
    lastSeenAt: Nullable(Instant),
  }),
  role: Type.Enum([...projectRoles], { description: 'The highest of the roles.' }),
  direct: Nullable(Type.Enum([...projectRoles], { description: 'The role given to the member alone.' })),
  teams: Type.Array(Type.Object({ key: Key, name: Name, role: ProjectRole })),
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
  body: Strict({ email: Email, role: ProjectRole }),
  reply: Member,
  errors: ['not-found', 'already-exists', 'in-use'],
})

export const updateMember = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/members/:user',
  summary: 'Change the role of a member.',
  permission: 'members.manage',
  stepUp: true,
  body: Strict({ role: ProjectRole }),
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

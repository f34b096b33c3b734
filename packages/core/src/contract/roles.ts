// Roles of a project: the built-in ones, and own ones with the permissions that the project chose.

import { type Static, Type } from 'typebox'
import { keyPattern } from '../keys.ts'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Key, Name, Nothing, Nullable, Permission, RoleKey, Strict, Version } from './parameters.ts'

const Description = Type.String({ maxLength: limits.descriptionLength })
const Permissions = Type.Array(Permission, {
  uniqueItems: true,
  description: '`project.view` is always among them.',
})

export const Role = Type.Object({
  key: RoleKey,
  name: Type.String(),
  description: Type.String(),
  permissions: Permissions,
  builtIn: Type.Boolean(),
  uses: Type.Integer({ description: 'Members, teams, invitations and API tokens with the role.' }),
  version: Nullable(Version),
})
export type Role = Static<typeof Role>

const list = '/api/v1/projects/:project/roles'
const one = `${list}/:role` as const

export const listRoles = call({
  method: 'GET',
  path: list,
  summary: 'List the roles of a project: the built-in ones in ascending order, then its own by key.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(Role) }),
})

export const createRole = call({
  method: 'POST',
  path: list,
  summary: 'Create a role from permissions that you have.',
  permission: 'members.manage',
  stepUp: true,
  idempotent: true,
  versioned: true,
  status: 201,
  body: Strict({ key: Key, name: Name, description: Type.Optional(Description), permissions: Permissions }),
  reply: Role,
  errors: ['already-exists', 'in-use'],
})

export const updateRole = call({
  method: 'PATCH',
  path: one,
  summary: 'Change a role, for everyone who has it. You can only add permissions that you have.',
  permission: 'members.manage',
  stepUp: true,
  versioned: true,
  body: Strict({
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    permissions: Type.Optional(Permissions),
  }),
  reply: Role,
  errors: ['wrong-state'],
})

export const deleteRole = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a role. While it is in use, name the role that its holders get instead.',
  permission: 'members.manage',
  stepUp: true,
  status: 204,
  query: Strict({
    moveTo: Type.Optional(
      Type.String({
        pattern: keyPattern,
        maxLength: limits.keyLength,
        description: 'Key of the role for everyone who has the deleted one.',
      }),
    ),
  }),
  reply: Nothing,
  errors: ['in-use', 'wrong-state'],
})

export const roleCalls = { listRoles, createRole, updateRole, deleteRole }

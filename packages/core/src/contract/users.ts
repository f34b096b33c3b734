import { Type } from 'typebox'
import { call } from './call.ts'
import { LoginSession } from './login-session.ts'
import {
  Email,
  Id,
  InstallationRole,
  Instant,
  Name,
  Nothing,
  Nullable,
  Page,
  pageQuery,
  Strict,
} from './parameters.ts'

export const User = Type.Object({
  id: Id,
  email: Email,
  name: Name,
  role: InstallationRole,
  disabledAt: Nullable(Instant),
  createdAt: Instant,
  lastSeenAt: Nullable(Instant),
  secondFactor: Type.Boolean({ description: 'Whether the user has a second factor.' }),
  managed: Type.Boolean(),
})

export const listUsers = call({
  method: 'GET',
  path: '/api/v1/users',
  summary: 'List the users of the installation, by e-mail.',
  permission: 'installation.manage',
  query: Strict({ ...pageQuery, search: Type.Optional(Type.String({ maxLength: 100 })) }),
  reply: Page(User),
})

export const getUser = call({
  method: 'GET',
  path: '/api/v1/users/:user',
  summary: 'Show one user.',
  permission: 'installation.manage',
  reply: User,
})

export const updateUser = call({
  method: 'PATCH',
  path: '/api/v1/users/:user',
  summary:
    'Change name or role in the installation, disable or enable. Disabling ends every session and token.',
  permission: 'installation.manage',
  stepUp: true,
  body: Strict({
    name: Type.Optional(Name),
    role: Type.Optional(InstallationRole),
    disabled: Type.Optional(Type.Boolean()),
  }),
  reply: User,
  errors: ['last-owner', 'managed', 'wrong-state', 'in-use'],
})

export const deleteUser = call({
  method: 'DELETE',
  path: '/api/v1/users/:user',
  summary: 'Delete a user with memberships, sessions and tokens. The audit log keeps the name.',
  permission: 'installation.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
  errors: ['last-owner', 'managed', 'in-use'],
})

export const issuePasswordReset = call({
  method: 'POST',
  path: '/api/v1/users/:user/password-reset',
  summary: 'Issue a link with which the user sets a new password.',
  permission: 'installation.manage',
  stepUp: true,
  status: 201,
  reply: Type.Object({ url: Type.String(), expiresAt: Instant }),
})

export const listUserSessions = call({
  method: 'GET',
  path: '/api/v1/users/:user/sessions',
  summary: 'List the sessions of a user, last used first.',
  permission: 'installation.manage',
  reply: Type.Object({ items: Type.Array(LoginSession) }),
})

export const endUserSessions = call({
  method: 'DELETE',
  path: '/api/v1/users/:user/sessions',
  summary: 'End all sessions of a user. Tokens stay valid.',
  permission: 'installation.manage',
  stepUp: true,
  reply: Type.Object({ ended: Type.Integer({ minimum: 0 }) }),
})

export const userCalls = {
  listUsers,
  getUser,
  updateUser,
  deleteUser,
  issuePasswordReset,
  listUserSessions,
  endUserSessions,
}

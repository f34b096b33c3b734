import { Type } from 'typebox'
import { call } from './call.ts'
import {
  Email,
  Id,
  Instant,
  InstantParameter,
  Key,
  Name,
  Nothing,
  Nullable,
  Page,
  pageQuery,
  RoleKey,
  Strict,
} from './parameters.ts'

export const ApiToken = Type.Object({
  id: Id,
  name: Name,
  /** The first characters, to recognise the token in a script. */
  prefix: Type.String(),
  owner: Type.Object({ id: Id, email: Email, name: Name }),
  project: Nullable(Key),
  role: RoleKey,
  createdAt: Instant,
  expiresAt: Nullable(Instant),
  lastUsedAt: Nullable(Instant),
  revokedAt: Nullable(Instant),
})

export const listTokens = call({
  method: 'GET',
  path: '/api/v1/account/tokens',
  summary: 'List your API tokens, newest first.',
  permission: 'person',
  query: Strict(pageQuery),
  reply: Page(ApiToken),
})

export const createToken = call({
  method: 'POST',
  path: '/api/v1/account/tokens',
  summary: 'Create an API token. Its value is shown only once.',
  permission: 'person',
  stepUp: true,
  idempotent: true,
  status: 201,
  body: Strict({
    name: Name,
    /** Without a project the token works in every project its owner can see. */
    project: Type.Optional(Key),
    role: RoleKey,
    expiresAt: Type.Optional(InstantParameter),
  }),
  reply: Type.Object({ token: ApiToken, value: Type.String() }),
  errors: ['forbidden', 'not-found', 'already-exists'],
})

export const revokeToken = call({
  method: 'DELETE',
  path: '/api/v1/account/tokens/:token',
  summary: 'Revoke one of your API tokens immediately.',
  permission: 'person',
  status: 204,
  reply: Nothing,
})

export const listProjectTokens = call({
  method: 'GET',
  path: '/api/v1/projects/:project/tokens',
  summary: 'List the API tokens limited to a project, newest first.',
  permission: 'members.manage',
  query: Strict(pageQuery),
  reply: Page(ApiToken),
})

export const revokeProjectToken = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/tokens/:token',
  summary: 'Revoke an API token that is limited to this project.',
  permission: 'members.manage',
  status: 204,
  reply: Nothing,
})

export const tokenCalls = { listTokens, createToken, revokeToken, listProjectTokens, revokeProjectToken }

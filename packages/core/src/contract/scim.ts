// Tokens with which identity providers use SCIM. The protocol itself is at `/scim/v2`, outside of this table: its
// documents and errors are those of RFC 7643 and RFC 7644.

import { type Static, Type } from 'typebox'
import { call } from './call.ts'
import { Id, Instant, Name, Nothing, Nullable, Strict } from './parameters.ts'

export const scimPath = '/scim/v2'

const ScimRequest = Type.Object({
  at: Instant,
  method: Type.String(),
  resource: Type.String({ description: 'Such as `Users`.' }),
  status: Type.Integer(),
  detail: Nullable(Type.String({ description: 'Why it was refused.' })),
})

export const ScimToken = Type.Object({
  id: Id,
  name: Name,
  /** The first characters, to recognise the token. */
  prefix: Type.String(),
  createdBy: Type.String(),
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
  revokedAt: Nullable(Instant),
  requests: Type.Array(ScimRequest, { description: 'The last ones, newest first.' }),
})
export type ScimToken = Static<typeof ScimToken>

export const listScimTokens = call({
  method: 'GET',
  path: '/api/v1/scim-tokens',
  summary: 'List the tokens for SCIM with their last requests, newest first.',
  permission: 'installation.manage',
  reply: Type.Object({
    items: Type.Array(ScimToken),
    address: Type.String({ description: 'Where identity providers send their requests.' }),
    users: Type.Integer({ description: 'Accounts that SCIM manages.' }),
    groups: Type.Integer({ description: 'Teams that SCIM manages.' }),
  }),
})

export const createScimToken = call({
  method: 'POST',
  path: '/api/v1/scim-tokens',
  summary: 'Create a token for SCIM. Its value is shown only once.',
  permission: 'installation.manage',
  stepUp: true,
  idempotent: true,
  status: 201,
  body: Strict({ name: Name }),
  reply: Type.Object({ token: ScimToken, value: Type.String() }),
  errors: ['in-use'],
})

export const revokeScimToken = call({
  method: 'DELETE',
  path: '/api/v1/scim-tokens/:scimToken',
  summary: 'Revoke a token for SCIM immediately.',
  permission: 'installation.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
})

export const scimCalls = { listScimTokens, createScimToken, revokeScimToken }

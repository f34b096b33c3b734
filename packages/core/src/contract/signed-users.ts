// Signed users: the application's server vouches for the targeting key that a browser sends.

import { Type } from 'typebox'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Id, Instant, Nullable, Strict } from './parameters.ts'

export const SignedUsersMode = Type.Enum(['off', 'count', 'require'], {
  description:
    '`count`: accepts everything from browsers, and counts what `require` would refuse. `require`: users named by a browser must be signed.',
})

export const SigningSecret = Type.Object({
  id: Id,
  /** The last characters. */
  hint: Type.String(),
  createdAt: Instant,
})

const Counts = Type.Object({ signed: Count, unsigned: Count, invalid: Count, expired: Count })

export const SignedUsers = Type.Object({
  mode: SignedUsersMode,
  secrets: Type.Array(SigningSecret, {
    description: 'At most two, newest first. Each may sign; both are accepted during a rotation.',
  }),
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date', description: 'In UTC.' }),
      flags: Counts,
      telemetry: Counts,
    }),
    { description: 'Requests that named a user, of the last 14 days, newest first. Not counted while off.' },
  ),
  /** The latest of them that was not signed. */
  latest: Nullable(
    Type.Object({
      at: Instant,
      source: Type.Enum(['flags', 'telemetry']),
      verdict: Type.Enum(['unsigned', 'invalid', 'expired']),
    }),
  ),
})

const one = '/api/v1/projects/:project/environments/:env/signed-users' as const

export const getSignedUsers = call({
  method: 'GET',
  path: one,
  summary:
    'Show whether browsers must send signed users, the signing secrets, and how many requests are signed.',
  permission: 'project.view',
  reply: SignedUsers,
})

export const setSignedUsers = call({
  method: 'PUT',
  path: one,
  summary: 'Switch signed users off, to counting or to required.',
  permission: 'keys.manage',
  stepUp: true,
  body: Strict({ mode: SignedUsersMode }),
  reply: SignedUsers,
  errors: ['wrong-state'],
})

export const createSigningSecret = call({
  method: 'POST',
  path: `${one}/secrets`,
  summary: 'Create a signing secret. The previous one stays valid until it is revoked.',
  permission: 'keys.manage',
  stepUp: true,
  idempotent: true,
  status: 201,
  reply: Type.Object({
    secret: SigningSecret,
    value: Type.String({ description: 'The secret. Shown only once.' }),
  }),
  errors: ['in-use'],
})

export const revokeSigningSecret = call({
  method: 'DELETE',
  path: `${one}/secrets/:signingSecret`,
  summary: 'Revoke a signing secret: signatures made with it are invalid at once.',
  permission: 'keys.manage',
  stepUp: true,
  reply: SignedUsers,
  errors: ['wrong-state'],
})

export const signedUserCalls = { getSignedUsers, setSignedUsers, createSigningSecret, revokeSigningSecret }

import { Type } from 'typebox'
import { call } from './call.ts'
import { Id, Instant, InstantParameter, Nullable, Strict } from './parameters.ts'

export const SdkKeyKind = Type.Enum(['client', 'server'])
const Label = Type.String({ maxLength: 120 })

export const SdkKey = Type.Object({
  id: Id,
  kind: SdkKeyKind,
  label: Label,
  /** The first characters. */
  prefix: Type.String(),
  /** The whole client key, which is public anyway; null for a server key, which is shown only once. */
  value: Nullable(Type.String()),
  createdAt: Instant,
  lastUsedAt: Nullable(Instant),
  /** The key is refused from this time on; in the future during a rotation. */
  revokedAt: Nullable(Instant),
  managed: Type.Boolean(),
})

const keys = '/api/v1/projects/:project/environments/:env/keys' as const
const NewKey = Type.Object({
  key: SdkKey,
  value: Type.String({ description: 'The full key. A server key is shown only once.' }),
})

export const listKeys = call({
  method: 'GET',
  path: keys,
  summary: 'List the SDK keys of an environment, newest first, revoked ones included.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(SdkKey) }),
})

export const createKey = call({
  method: 'POST',
  path: keys,
  summary: 'Create an SDK key.',
  permission: 'keys.manage',
  stepUp: true,
  idempotent: true,
  status: 201,
  body: Strict({ kind: SdkKeyKind, label: Type.Optional(Label) }),
  reply: NewKey,
  errors: ['in-use'],
})

export const rotateKey = call({
  method: 'POST',
  path: `${keys}/:key/rotate`,
  summary:
    'Rotate a key: create a successor with its kind and label; the old key works until the given instant (default: now).',
  permission: 'keys.manage',
  stepUp: true,
  idempotent: true,
  status: 201,
  body: Strict({ revokeAt: Type.Optional(InstantParameter) }),
  reply: NewKey,
  errors: ['managed', 'in-use'],
})

export const revokeKey = call({
  method: 'DELETE',
  path: `${keys}/:key`,
  summary: 'Revoke a key immediately. Revoking it again has no effect.',
  permission: 'keys.manage',
  stepUp: true,
  reply: SdkKey,
  errors: ['managed'],
})

export const keyCalls = { listKeys, createKey, rotateKey, revokeKey }

// The users of an environment by targeting key, with the traits of the latest context seen.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Attribute } from './conditions.ts'
import { ExplainedFlag } from './flags.ts'
import { Instant, Key, Nothing, Nullable, Page, pageQuery, Strict, TargetingKey } from './parameters.ts'

const traitMembers = {
  traits: Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { additionalProperties: true, description: 'From the latest context.' }),
  ),
  masked: Type.Array(Type.String(), {
    description: 'Sensitive traits that you cannot see.',
  }),
}

const Identity = Type.Object({
  targetingKey: TargetingKey,
  ...traitMembers,
  firstSeenAt: Instant,
  lastSeenAt: Instant,
})

const identityPath = '/api/v1/projects/:project/environments/:env/identities/:targetingKey'

export const listIdentities = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/identities',
  summary: 'List identities, last seen first; with a search, by targeting key.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.targetingKeyLength,
        description: 'Prefix of the targeting key.',
      }),
    ),
    trait: Type.Optional(Attribute),
    value: Type.Optional(
      Type.String({ maxLength: limits.traitLength, description: 'Value of the trait, as text.' }),
    ),
  }),
  reply: Page(Identity),
})

export const getIdentity = call({
  method: 'GET',
  path: identityPath,
  summary: 'Show an identity with its overrides. An identity never seen can have overrides.',
  permission: 'project.view',
  reply: Type.Object({
    targetingKey: TargetingKey,
    ...traitMembers,
    firstSeenAt: Nullable(Instant),
    lastSeenAt: Nullable(Instant),
    overrides: Type.Array(Type.Object({ flag: Key, variation: Key, createdAt: Instant })),
  }),
})

export const evaluateIdentity = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/identities/:targetingKey/flags',
  summary:
    'Show the value of every flag for an identity and why, with its latest traits. Its own requests are evaluated with their context only.',
  permission: 'project.view',
  reply: Type.Object({
    /** Refers to the traits; null if there never were any. */
    traitsSeenAt: Nullable(Instant),
    masked: Type.Array(Type.String(), {
      description:
        'Sensitive traits of the environment that you cannot see: the flags were evaluated without them.',
    }),
    items: Type.Array(ExplainedFlag),
  }),
})

export const deleteIdentity = call({
  method: 'DELETE',
  path: identityPath,
  summary: 'Delete an identity and its overrides. It is stored again when next seen.',
  permission: 'privacy.manage',
  status: 204,
  reply: Nothing,
})

export const identityCalls = { listIdentities, getIdentity, evaluateIdentity, deleteIdentity }

// The weekly digest of a project: what was released, what got better or worse, and what waits. Sent to channels.

import { type Static, Type } from 'typebox'
import { rolloutStates } from '../states/rollout.ts'
import { call } from './call.ts'
import { Count } from './measured.ts'
import { Id, Instant, Key, Nullable, Strict, Version } from './parameters.ts'

const Bound = Nullable(Type.Number({ description: 'Null: without a bound on this side.' }))

/** An interval that excludes zero. Higher is worse: -0.1 to -0.05 is 5 to 10 % better. */
const DigestChange = Type.Object({
  of: Type.Enum(['flag', 'release'], {
    description: 'A variation compared with its control, or a version with the one before.',
  }),
  name: Type.String({ description: 'The key of the flag, or the version.' }),
  variation: Nullable(Type.String({ description: 'Of the flag.' })),
  against: Type.String({ description: 'The control, or the version before.' }),
  metric: Type.String({ description: 'Its name.' }),
  scale: Type.Enum(['relative', 'points'], {
    description: 'Relative to the control, or a difference of shares: 0.01 is one percentage point.',
  }),
  lower: Bound,
  upper: Bound,
})
export type DigestChange = Static<typeof DigestChange>

const Released = Type.Object({
  deploys: Type.Array(
    Type.Object({ version: Type.String(), at: Instant, author: Nullable(Type.String()), commits: Count }),
  ),
  rollouts: Type.Array(
    Type.Object({
      id: Id,
      flag: Key,
      treatment: Key,
      state: Type.Enum([...rolloutStates]),
      endedAt: Instant,
    }),
  ),
  changes: Type.Integer({ minimum: 0, description: 'Saved flag configurations and advanced rollouts.' }),
})

export const Digest = Type.Object({
  env: Key,
  from: Instant,
  to: Instant,
  released: Released,
  worse: Type.Array(DigestChange),
  better: Type.Array(DigestChange),
  waiting: Type.Object({
    alerts: Type.Array(Type.Object({ id: Id, name: Type.String() }), { description: 'Firing ones.' }),
    rollouts: Type.Array(Type.Object({ id: Id, flag: Key }), { description: 'On hold.' }),
    changeRequests: Count,
    scheduledChanges: Count,
    issues: Type.Integer({ minimum: 0, description: 'Unresolved errors that were first seen in the week.' }),
  }),
  isPartial: Type.Boolean({ description: 'The telemetry store did not answer: releases are not compared.' }),
})
export type Digest = Static<typeof Digest>

const draftMembers = {
  enabled: Type.Boolean(),
  env: Nullable(Key),
  weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday.' }),
  hour: Type.Integer({ minimum: 0, maximum: 23, description: 'In the time zone of the environment.' }),
  channels: Type.Array(Id, { maxItems: 20, uniqueItems: true }),
}

export const DigestSettings = Type.Object({
  ...draftMembers,
  nextAt: Nullable(Instant),
  lastSentAt: Nullable(Instant),
  version: Version,
})
export type DigestSettings = Static<typeof DigestSettings>

const settings = '/api/v1/projects/:project/digest'

export const getDigestSettings = call({
  method: 'GET',
  path: settings,
  summary: 'Show when and to which channels the weekly digest of a project is sent. Off by default.',
  permission: 'project.view',
  reply: DigestSettings,
})

export const updateDigestSettings = call({
  method: 'PUT',
  path: settings,
  summary: 'Set when and to which channels the weekly digest is sent.',
  permission: 'project.manage',
  versioned: true,
  body: Strict(draftMembers),
  reply: DigestSettings,
})

export const previewDigest = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/digest',
  summary: 'Show the digest of the last seven days, as it would be sent now.',
  permission: 'project.view',
  reply: Type.Object({ digest: Digest, subject: Type.String(), text: Type.String() }),
})

export const digestCalls = { getDigestSettings, updateDigestSettings, previewDigest }

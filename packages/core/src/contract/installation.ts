import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { secondFactorPolicies } from '../permissions.ts'
import { call } from './call.ts'
import { Email, Instant, Key, Name, Nullable, Password, Secret, Strict } from './parameters.ts'
import { User } from './users.ts'

export const getSetup = call({
  method: 'GET',
  path: '/api/v1/setup',
  summary: 'Show whether the installation has an owner.',
  permission: 'anyone',
  reply: Type.Object({
    done: Type.Boolean(),
    asksForPublicUrl: Type.Boolean({
      description: 'Whether the public URL is not configured.',
    }),
  }),
})

const PublicUrl = Type.String({
  minLength: 1,
  maxLength: limits.publicUrlLength,
  description:
    'Public URL of this installation, such as https://telltale.example.com. Used for links in e-mail.',
})

const SecondFactorPolicy = Type.Enum([...secondFactorPolicies], {
  description: 'Who needs a second factor to use the console.',
})

const minute = 60_000
const SessionIdle = Type.Integer({
  minimum: limits.sessionIdleMinimum / minute,
  maximum: limits.sessionMaximumMaximum / minute,
  description: 'Minutes after which an unused session ends.',
})
const SessionMaximum = Type.Integer({
  minimum: limits.sessionMaximumMinimum / minute,
  maximum: limits.sessionMaximumMaximum / minute,
  description: 'Minutes after which a session ends whatever its use. Running sessions end accordingly.',
})

export const completeSetup = call({
  method: 'POST',
  path: '/api/v1/setup',
  summary: 'Create the owner, and optionally a first project. Works once and signs the owner in.',
  permission: 'anyone',
  guessable: 'failures',
  status: 201,
  body: Strict({
    code: Secret,
    owner: Strict({ name: Name, email: Email, password: Password }),
    project: Type.Optional(Strict({ key: Key, name: Name })),
    publicUrl: Type.Optional(PublicUrl),
  }),
  reply: Type.Object({ user: User }),
  errors: ['forbidden', 'already-exists'],
})

const EngineState = Type.Enum(['running', 'restarting', 'failed', 'external', 'waiting'])

export const getInstallation = call({
  method: 'GET',
  path: '/api/v1/installation',
  summary: 'Show version, engines and backups of the installation.',
  permission: 'installation.manage',
  reply: Type.Object({
    version: Type.String(),
    node: Type.String(),
    startedAt: Instant,
    publicUrl: Nullable(Type.String()),
    publicUrlIsSetting: Type.Boolean({ description: 'Set by TELLTALE_PUBLIC_URL; change it there.' }),
    mail: Type.Boolean(),
    secondFactor: SecondFactorPolicy,
    sessionIdleMinutes: SessionIdle,
    sessionMaximumMinutes: SessionMaximum,
    engines: Type.Object({
      postgres: Type.Object({ state: EngineState, version: Type.String(), sizeBytes: Type.Integer() }),
      clickhouse: Type.Object({
        kind: Type.Enum(['embedded', 'external']),
        state: EngineState,
        reason: Nullable(Type.String()),
        stored: Nullable(
          Type.Object({ version: Type.String(), sizeBytes: Type.Integer(), rows: Type.Integer() }),
        ),
      }),
    }),
    lastBackupAt: Nullable(Instant),
    degraded: Type.Array(Type.String()),
    /** The degraded parts, each with the reason. */
    degradations: Type.Array(Type.Object({ part: Type.String(), reason: Type.String() })),
  }),
})

export const updateInstallation = call({
  method: 'PATCH',
  path: '/api/v1/installation',
  summary:
    'Set the public URL, used for links in e-mail and notifications, who needs a second factor, and how long sessions last.',
  permission: 'installation.manage',
  stepUp: true,
  body: Strict({
    publicUrl: Type.Optional(Nullable(PublicUrl)),
    secondFactor: Type.Optional(SecondFactorPolicy),
    sessionIdleMinutes: Type.Optional(SessionIdle),
    sessionMaximumMinutes: Type.Optional(SessionMaximum),
  }),
  reply: Type.Object({
    publicUrl: Nullable(Type.String()),
    secondFactor: SecondFactorPolicy,
    sessionIdleMinutes: SessionIdle,
    sessionMaximumMinutes: SessionMaximum,
  }),
  errors: ['managed'],
})

export const installationCalls = { getSetup, completeSetup, getInstallation, updateInstallation }

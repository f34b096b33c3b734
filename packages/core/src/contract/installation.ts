import { Type } from 'typebox'
import { call } from './call.ts'
import { Email, Instant, Key, Name, Nullable, Password, Secret, Strict } from './parameters.ts'
import { User } from './users.ts'

export const getSetup = call({
  method: 'GET',
  path: '/api/v1/setup',
  summary: 'Tell whether the installation has its owner.',
  permission: 'anyone',
  reply: Type.Object({ done: Type.Boolean() }),
})

export const completeSetup = call({
  method: 'POST',
  path: '/api/v1/setup',
  summary: 'Create the owner, and a first project if one is named. Works once; signs the owner in.',
  permission: 'anyone',
  guessable: 'failures',
  status: 201,
  body: Strict({
    code: Secret,
    owner: Strict({ name: Name, email: Email, password: Password }),
    project: Type.Optional(Strict({ key: Key, name: Name })),
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
    mail: Type.Boolean(),
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
  }),
})

export const installationCalls = { getSetup, completeSetup, getInstallation }

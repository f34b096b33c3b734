// All data about one user: exported, or erased with a receipt.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Id, Instant, Nullable, Page, pageQuery, Strict, TargetingKey } from './parameters.ts'

const anonymousId = Type.String({
  minLength: 1,
  maxLength: limits.targetingKeyLength,
  pattern: '^[^\\u0000]*$',
  description: 'Id of one browser, stored by the SDK.',
})

/** At least one of the two is required. */
const person = {
  targetingKey: Type.Optional(TargetingKey),
  anonymousId: Type.Optional(anonymousId),
}

export const erasureStates = ['waiting', 'erased', 'closed'] as const

export const remainderPlaces = [
  'telemetry-tables',
  'telemetry-files',
  'spool',
  'database-files',
  'erasure',
  'backups',
  'database-server',
  'configuration',
] as const

export const ErasureRemainder = Type.Object({
  place: Type.Enum([...remainderPlaces], {
    description:
      '`telemetry-tables`, `telemetry-files`, `spool` and `database-files` (tables, statistics and write-ahead log of PostgreSQL) are cleared within minutes. `erasure`: this entry keeps the ids to find late data, until `until`. `backups`: backups of the control plane made before; each is deleted once enough newer ones of its kind exist. `database-server`: the write-ahead log, replicas and backups of your own PostgreSQL, by its settings. `configuration`: rules, segments, metrics and alerts that name the user, with their history; they stay until you change them.',
  }),
  until: Nullable(Type.String({ description: 'When it is removed, if at a fixed time.' })),
  names: Type.Array(Type.String(), {
    description:
      'When each of the `backups` was made; the flags, segments, metrics and alerts of `configuration`.',
  }),
})

export const Erasure = Type.Object({
  id: Id,
  person: Type.String({
    description: 'A hash of the key: finds an erasure by its key, but does not reveal the key.',
  }),
  state: Type.Enum([...erasureStates], {
    description:
      '`waiting` for the telemetry store; `erased`: everything is deleted and late events are refused; `closed`: that period is over, and the erasure no longer identifies the user.',
  }),
  requestedBy: Type.String(),
  requestedAt: Instant,
  erasedAt: Nullable(Instant),
  checkedAt: Nullable(Type.String({ description: 'When a final check of the tables found nothing.' })),
  offDiskAt: Nullable(
    Type.String({
      description:
        'When the files that held the text were gone from the disk of the store. Null for some minutes.',
    }),
  ),
  blockedUntil: Type.String({ description: 'Until then, events of this user are refused.' }),
  tables: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer({ minimum: 0 }) }), {
    description: 'What was deleted, by place.',
  }),
  remains: Type.Array(ErasureRemainder, {
    description: 'Places that may still hold data of the user. Empty once none does.',
  }),
})

export const erasePerson = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/erasures',
  summary: 'Erase the data of one user, and refuse late events.',
  permission: 'privacy.manage',
  idempotent: true,
  status: 201,
  body: Strict(person),
  reply: Erasure,
})

export const listErasures = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/erasures',
  summary: 'List the erasures of an environment, the newest first.',
  permission: 'privacy.manage',
  query: Strict(pageQuery),
  reply: Page(Erasure),
})

export const getErasure = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/erasures/:erasure',
  summary: 'Show the receipt of one erasure.',
  permission: 'privacy.manage',
  reply: Erasure,
})

export const exportPerson = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/people/:targetingKey',
  summary:
    'Export all data of one user, by targeting key or anonymous id: the identity, and page by page every row of the sessions that an erasure deletes.',
  permission: 'privacy.manage',
  query: Strict({ ...pageQuery, anonymousId: person.anonymousId }),
  reply: Type.Object({
    identities: Type.Array(
      Type.Object({
        targetingKey: Type.String(),
        traits: Type.Record(Type.String(), Type.Unknown()),
        firstSeenAt: Instant,
        lastSeenAt: Instant,
      }),
      { description: 'Repeated on every page.' },
    ),
    overrides: Type.Array(
      Type.Object({ targetingKey: Type.String(), flag: Type.String(), variation: Type.String() }),
    ),
    items: Type.Array(
      Type.Object({
        table: Type.String(),
        row: Type.Record(Type.String(), Type.Unknown(), {
          description: 'As stored. Recordings are base64.',
        }),
      }),
      { description: 'Ordered by table and session. Recordings come a few per page.' },
    ),
    next: Nullable(Type.String()),
  }),
  errors: ['query-too-large'],
})

export const privacyCalls = { erasePerson, listErasures, getErasure, exportPerson }

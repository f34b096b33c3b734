// Whatever is kept of one person: handed out, or erased with a receipt.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { StoredEvent } from './intake.ts'
import { Id, Instant, Nullable, Page, pageQuery, Strict, TargetingKey } from './parameters.ts'

const anonymousId = Type.String({
  minLength: 1,
  maxLength: limits.targetingKeyLength,
  pattern: '^[^\\u0000]*$',
  description: 'Of one browser, as the library keeps it.',
})

/** One of the two at least. */
const person = {
  targetingKey: Type.Optional(TargetingKey),
  anonymousId: Type.Optional(anonymousId),
}

export const erasureStates = ['waiting', 'erased', 'closed'] as const

export const Erasure = Type.Object({
  id: Id,
  person: Type.String({ description: 'A hash: whoever knows the key finds the erasure, not the other way.' }),
  state: Type.Enum([...erasureStates], {
    description:
      '`waiting` for the telemetry store; `erased`: everything is gone and what comes late is refused; `closed`: that time is over, and the erasure itself no longer knows whom it was about.',
  }),
  requestedBy: Type.String(),
  requestedAt: Instant,
  erasedAt: Nullable(Instant),
  blockedUntil: Type.String({ description: 'Until then events of this person are refused.' }),
  tables: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer({ minimum: 0 }) }), {
    description: 'What was deleted where.',
  }),
})

export const erasePerson = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/erasures',
  summary: 'Erase what is kept of one person, and refuse what still comes late.',
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
    'Hand out what is kept of one person, by targeting key or anonymous id: the identity, and page by page the events.',
  permission: 'privacy.manage',
  query: Strict({ ...pageQuery, anonymousId: person.anonymousId }),
  reply: Type.Object({
    identity: Nullable(
      Type.Object({
        targetingKey: Type.String(),
        traits: Type.Record(Type.String(), Type.Unknown()),
        firstSeenAt: Instant,
        lastSeenAt: Instant,
      }),
    ),
    overrides: Type.Array(Type.Object({ flag: Type.String(), variation: Type.String() })),
    items: Type.Array(StoredEvent, { description: 'The newest first.' }),
    next: Nullable(Type.String()),
  }),
  errors: ['query-too-large'],
})

export const privacyCalls = { erasePerson, listErasures, getErasure, exportPerson }

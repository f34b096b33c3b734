// Configuration changes that are saved automatically at a given time.

import { type Static, Type } from 'typebox'
import { call } from './call.ts'
import { Author, OpenedChangeRequest } from './change-requests.ts'
import { type ConfigPatch, GivenPatch } from './flag-config.ts'
import { Id, Instant, Key, Nullable, Page, pageQuery, Reason, Strict, Version } from './parameters.ts'

export const ScheduledChangeState = Type.Enum(['pending', 'applied', 'failed', 'cancelled'])

export const ScheduledChange = Type.Object({
  id: Id,
  env: Key,
  flag: Key,
  state: ScheduledChangeState,
  at: Instant,
  change: Type.Unsafe<ConfigPatch>(Type.Object({}, { additionalProperties: true })),
  reason: Nullable(Type.String()),
  author: Author,
  failure: Nullable(Type.String({ description: 'Why it failed.' })),
  appliedVersion: Nullable(Type.Integer()),
  version: Version,
  createdAt: Instant,
  endedAt: Nullable(Instant),
})

export type ScheduledChange = Static<typeof ScheduledChange>

const At = Type.String({ format: 'date-time', description: 'In the future, a year ahead at most.' })

const itemPath = '/api/v1/projects/:project/scheduled-changes/:scheduledChange'
const configErrors = ['invalid-rule', 'invalid-weights', 'prerequisite-cycle', 'flag-not-found'] as const

export const listScheduledChanges = call({
  method: 'GET',
  path: '/api/v1/projects/:project/scheduled-changes',
  summary:
    'List the scheduled changes of a project, newest first. Those that need approval are change requests.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    state: Type.Optional(ScheduledChangeState),
    env: Type.Optional(Key),
    flag: Type.Optional(Key),
    author: Type.Optional(Id),
  }),
  reply: Page(ScheduledChange),
})

export const createScheduledChange = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/flags/:flag/scheduled-changes',
  summary: 'Schedule a change of a flag configuration. It is merged with the configuration saved by then.',
  permission: 'flags.change',
  idempotent: true,
  versioned: true,
  status: 201,
  body: Strict({ at: At, change: GivenPatch, reason: Type.Optional(Reason) }),
  reply: ScheduledChange,
  accepted: OpenedChangeRequest,
  errors: ['in-use', ...configErrors],
})

export const getScheduledChange = call({
  method: 'GET',
  path: itemPath,
  summary: 'Show a scheduled change.',
  permission: 'project.view',
  versioned: true,
  reply: ScheduledChange,
})

export const updateScheduledChange = call({
  method: 'PATCH',
  path: itemPath,
  summary: 'Change a pending scheduled change; omitted members stay unchanged. You become its author.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({
    at: Type.Optional(At),
    change: Type.Optional(GivenPatch),
    reason: Type.Optional(Nullable(Reason)),
  }),
  reply: ScheduledChange,
  errors: ['wrong-state', ...configErrors],
})

export const cancelScheduledChange = call({
  method: 'POST',
  path: '/api/v1/projects/:project/scheduled-changes/:scheduledChange/cancel',
  summary: 'Cancel a pending scheduled change.',
  permission: 'flags.change',
  versioned: true,
  reply: ScheduledChange,
  errors: ['wrong-state'],
})

export const scheduledChangeCalls = {
  listScheduledChanges,
  createScheduledChange,
  getScheduledChange,
  updateScheduledChange,
  cancelScheduledChange,
}

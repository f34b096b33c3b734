// Segments: named conditions shared by the rules of many flags.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { ConditionGroup } from './conditions.ts'
import {
  EndsEvidenceOf,
  Id,
  Instant,
  Key,
  Name,
  Nothing,
  Page,
  pageQuery,
  Strict,
  Version,
} from './parameters.ts'

const Description = Type.String({ maxLength: limits.descriptionLength })

const members = {
  id: Id,
  key: Key,
  name: Name,
  description: Type.String(),
  /** Validated when it was saved. */
  when: Type.Unsafe<ConditionGroup>(Type.Object({}, { additionalProperties: true })),
  version: Version,
  createdAt: Instant,
  managed: Type.Boolean(),
}

export const Segment = Type.Object(members)

export const listSegments = call({
  method: 'GET',
  path: '/api/v1/projects/:project/segments',
  summary: 'List the segments of a project, by key.',
  permission: 'project.view',
  query: Strict(pageQuery),
  reply: Page(
    Type.Object({
      ...members,
      usedByFlags: Type.Integer({ minimum: 0, description: 'Number of flags that use it.' }),
    }),
  ),
})

export const createSegment = call({
  method: 'POST',
  path: '/api/v1/projects/:project/segments',
  summary: 'Create a segment.',
  permission: 'flags.change',
  idempotent: true,
  versioned: true,
  status: 201,
  body: Strict({
    key: Key,
    name: Name,
    description: Type.Optional(Description),
    when: ConditionGroup,
  }),
  reply: Segment,
  errors: ['already-exists', 'in-use', 'invalid-rule'],
})

export const getSegment = call({
  method: 'GET',
  path: '/api/v1/projects/:project/segments/:segment',
  summary: 'Show one segment and the flags that use it.',
  permission: 'project.view',
  versioned: true,
  reply: Type.Object({ ...members, usedBy: Type.Array(Type.Object({ flag: Key, env: Key })) }),
})

export const updateSegment = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/segments/:segment',
  summary: 'Change a segment; omitted members stay unchanged.',
  permission: 'flags.change',
  versioned: true,
  body: Strict({
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    when: Type.Optional(ConditionGroup),
    endsEvidenceOf: Type.Optional(EndsEvidenceOf),
  }),
  reply: Segment,
  errors: ['managed', 'invalid-rule', 'guard-running'],
})

export const deleteSegment = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/segments/:segment',
  summary: 'Delete an unused segment.',
  permission: 'flags.change',
  status: 204,
  reply: Nothing,
  errors: ['in-use', 'managed'],
})

export const segmentCalls = { listSegments, createSegment, getSegment, updateSegment, deleteSegment }

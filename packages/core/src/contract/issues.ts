// Error issues: the errors of an environment, grouped by where they are thrown. Their number, and who they met, comes from
// the events of the period asked for; what people decided about them stays.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Id, Instant, Nullable, Page, pageQuery, Strict, Version } from './parameters.ts'

const Count = Type.Integer({ minimum: 0 })
const period = { from: Type.Optional(Instant), to: Type.Optional(Instant) }

export const issueStates = ['unresolved', 'resolved', 'regressed', 'ignored'] as const
const IssueState = Type.Enum([...issueStates])

const members = {
  id: Id,
  type: Type.String({ description: 'Such as `TypeError`; empty when the browser named none.' }),
  message: Type.String({ description: 'Of the newest error.' }),
  culprit: Type.String({ description: 'Where it is thrown, as far as the stack says: function and file.' }),
  state: IssueState,
  assignee: Nullable(Type.Object({ id: Id, name: Type.String() })),
  firstSeenAt: Instant,
  firstSeenVersion: Type.String({ description: 'Empty when the application names none.' }),
  lastSeenAt: Instant,
  lastSeenVersion: Type.String(),
  resolvedAt: Nullable(Instant),
  resolvedIn: Nullable(Type.String({ description: 'The version that people ran when it was resolved.' })),
  ignoredUntil: Nullable(Instant),
  version: Version,
}

export const Issue = Type.Object(members)

const seen = {
  events: Count,
  sessions: Count,
  users: Count,
}

export const issueSorts = ['users', 'events', 'last-seen', 'first-seen'] as const

export const listIssues = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues',
  summary: 'List the error issues that were seen in a period.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...period,
    state: Type.Optional(
      Type.Enum([...issueStates, 'open'], { description: '`open`: unresolved and regressed.' }),
    ),
    assignee: Type.Optional(Id),
    q: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.nameLength,
        description: 'In type, message or culprit.',
      }),
    ),
    sort: Type.Optional(Type.Enum([...issueSorts], { description: 'Default: `users`.' })),
  }),
  reply: Page(
    Type.Object({
      ...members,
      ...seen,
      series: Type.Array(Count, { description: 'Events in equal parts of the period, the oldest first.' }),
    }),
  ),
  errors: ['query-too-large'],
})

const Slice = Type.Object({ value: Type.String(), events: Count, sessions: Count })

/** How many times as often a session meets the issue under one variation as under the flag's others. */
const Lift = Type.Object({
  flag: Type.String(),
  variation: Type.String(),
  sessions: Count,
  hits: Count,
  otherSessions: Count,
  otherHits: Count,
  ratio: Type.Number(),
  lower: Type.Number(),
  upper: Type.Number(),
})

export const getIssue = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue',
  summary: 'Show one error issue: how often, where, and under which flag variations.',
  permission: 'project.view',
  versioned: true,
  query: Strict(period),
  reply: Type.Object({
    ...members,
    ...seen,
    from: Instant,
    to: Instant,
    series: Type.Array(Count),
    slices: Type.Object({
      flags: Type.Array(Slice, { description: '`flag=variation`' }),
      browser: Type.Array(Slice),
      os: Type.Array(Slice),
      device: Type.Array(Slice),
      country: Type.Array(Slice),
      version: Type.Array(Slice),
      page: Type.Array(Slice),
    }),
    lifts: Type.Array(Lift, {
      description:
        'The strongest first. Intervals hold together with 95 %; one without 1 in it stands out. No cause is claimed.',
    }),
  }),
  errors: ['query-too-large'],
})

const frame = { function: Type.String(), file: Type.String(), line: Count, column: Count }

/** Why a frame stands as the browser wrote it. */
export const unmappedReasons = {
  'no-script': 'The browser names no script here.',
  'not-uploaded': 'No source map of a script with this name was uploaded.',
  'other-path': 'The maps of scripts with this name are of other folders.',
  'other-version': 'The maps of this script are of other versions.',
  'no-position': 'The map of this script does not know this place: it is of another build.',
} as const
export type UnmappedReason = keyof typeof unmappedReasons

/** A frame of a stack, and where that is in the code as people wrote it. */
export const MappedFrame = Type.Object({
  ...frame,
  original: Nullable(
    Type.Object({
      ...frame,
      code: Nullable(
        Type.Object(
          { first: Count, lines: Type.Array(Type.String()) },
          { description: 'The lines around it.' },
        ),
      ),
    }),
  ),
  why: Nullable(Type.Enum(Object.keys(unmappedReasons) as UnmappedReason[])),
  nearest: Nullable(
    Type.Object(
      { file: Type.String(), version: Type.String() },
      { description: 'The uploaded map that comes closest.' },
    ),
  ),
})

export const listIssueEvents = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue/events',
  summary: 'List the errors of an issue, the newest first.',
  permission: 'project.view',
  query: Strict({ ...pageQuery, ...period }),
  reply: Page(
    Type.Object({
      id: Type.String(),
      at: Instant,
      session: Nullable(Type.String()),
      view: Nullable(Type.String()),
      userKey: Type.String(),
      anonymousId: Type.String(),
      source: Type.String(),
      handled: Type.Boolean(),
      type: Type.String(),
      message: Type.String(),
      stack: Type.String({ description: 'As the browser wrote it.' }),
      frames: Type.Array(MappedFrame, { description: 'The innermost first.' }),
      page: Type.String(),
      url: Type.String(),
      version: Type.String(),
      browser: Type.String(),
      browserVersion: Type.String(),
      os: Type.String(),
      device: Type.String(),
      country: Type.String(),
      hasReplay: Type.Boolean(),
      flags: Type.Array(Type.String()),
      attributes: Type.Record(Type.String(), Type.String()),
    }),
  ),
  errors: ['query-too-large'],
})

export const changeIssue = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue',
  summary: 'Resolve, ignore, reopen or assign an error issue.',
  permission: 'issues.resolve',
  versioned: true,
  body: Strict({
    state: Type.Optional(
      Type.Enum(['resolved', 'ignored', 'unresolved'], {
        description: 'Resolved: seen again in a later version than any until now, it is `regressed`.',
      }),
    ),
    ignoredUntil: Type.Optional(Instant),
    assignee: Type.Optional(Nullable(Id)),
  }),
  reply: Issue,
  errors: ['query-too-large'],
})

export const issueCalls = { listIssues, getIssue, listIssueEvents, changeIssue }

// Error issues: the errors of an environment, grouped by where they are thrown. Counts and affected users come from
// the events of the queried period; decisions of the team persist.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { Attributions } from './attributions.ts'
import { call } from './call.ts'
import {
  at,
  Count,
  exactQuery,
  partial,
  periodQuery,
  Sample,
  stepped,
  stepQuery,
  Weighted,
} from './measured.ts'
import { Id, Instant, InstantParameter, Nullable, Page, pageQuery, Strict, Version } from './parameters.ts'

export const issueStates = ['unresolved', 'resolved', 'regressed', 'ignored'] as const
const IssueState = Type.Enum([...issueStates])

const members = {
  id: Id,
  group: Type.String({ description: 'Value for `issue:` in a filter.' }),
  type: Type.String({ description: 'Such as `TypeError`; empty if the browser gave none.' }),
  message: Type.String({ description: 'Message of the first error; never changes.' }),
  culprit: Type.String({ description: 'Function and file that throw it, from the stack.' }),
  state: IssueState,
  assignee: Nullable(Type.Object({ id: Id, name: Type.String() })),
  firstSeenAt: Instant,
  firstSeenVersion: Type.String({ description: 'Empty if the application sets none.' }),
  lastSeenAt: Instant,
  lastSeenVersion: Type.String(),
  resolvedAt: Nullable(Instant),
  resolvedIn: Nullable(Type.String({ description: 'The version in use when it was resolved.' })),
  ignoredUntil: Nullable(Instant),
  version: Version,
}

export const Issue = Type.Object(members)

const seen = {
  events: Weighted,
  sessions: Count,
  users: Count,
}

/**
 * A suspect: the ratio between the issue's rate among users with this variation and among those with the flag's other
 * ones.
 */
const Lift = Type.Object({
  flag: Type.String(),
  variation: Type.String(),
  and: Nullable(
    Type.Object(
      { flag: Type.String(), variation: Type.String() },
      { description: 'More common only among users with both.' },
    ),
  ),
  users: Count,
  hits: Type.Unsafe<number>({ ...Count, description: 'Users with it who had the issue.' }),
  otherUsers: Count,
  otherHits: Count,
  ratio: Type.Number(),
  lower: Type.Number(),
  upper: Nullable(Type.Number({ description: 'Null: no upper bound, because no other user had it.' })),
})

const SuspectSample = Type.Unsafe<number>({
  ...Sample,
  description:
    'With 16, suspects were compared among one in sixteen users, and their numbers of users are estimates. 1: among all users.',
})

export const issueSorts = ['users', 'events', 'sessions', 'last-seen', 'first-seen'] as const

export const listIssues = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues',
  summary: 'List the error issues of a period.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...periodQuery,
    ...exactQuery,
    state: Type.Optional(
      Type.Enum([...issueStates, 'open'], { description: '`open`: unresolved and regressed.' }),
    ),
    assignee: Type.Optional(Id),
    search: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.nameLength,
        description: 'In type, message or culprit.',
      }),
    ),
    sort: Type.Optional(Type.Enum([...issueSorts], { description: 'Default: `users`.' })),
  }),
  reply: Type.Object({
    ...Page(
      Type.Object({
        ...members,
        ...seen,
        series: Type.Array(Weighted, {
          description: 'Events in equal steps of the period, oldest first.',
        }),
        /** The strongest suspect, as in `lifts` of the issue; null if no flag is significant. */
        lift: Nullable(Lift),
      }),
    ).properties,
    sample: SuspectSample,
    states: Type.Object(
      { unresolved: Count, resolved: Count, regressed: Count, ignored: Count },
      { description: 'Number of matching issues in each state, regardless of `state` and the page.' },
    ),
  }),
  errors: ['query-too-large'],
})

const Slice = Type.Object({ value: Type.String(), events: Weighted, sessions: Count })

export const getIssue = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue',
  summary: 'Show one error issue: how often, where, and under which flag variations.',
  permission: 'project.view',
  versioned: true,
  query: Strict({ ...periodQuery, ...exactQuery, ...stepQuery }),
  reply: Type.Object({
    ...members,
    ...seen,
    sample: SuspectSample,
    ...stepped,
    series: Type.Array(Weighted, { description: 'Events in equal steps of the period.' }),
    points: Type.Array(Type.Object({ at, partial, events: Weighted, sessions: Count }), {
      description: 'Every step of the period, including those without errors.',
    }),
    slices: Type.Object({
      flags: Type.Array(Slice, { description: '`flag=variation`' }),
      browser: Type.Array(Slice),
      os: Type.Array(Slice),
      device: Type.Array(Slice),
      country: Type.Array(Slice),
      version: Type.Array(Slice),
      page: Type.Array(Slice),
    }),
    merged: Type.Array(
      Type.Object({ id: Id, type: Type.String(), message: Type.String(), culprit: Type.String() }),
      { description: 'Manually merged issues, which can be split off.' },
    ),
    attributes: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Slice) }), {
      description: 'Custom attributes of the errors, most frequent names first.',
    }),
    lifts: Type.Array(Lift, {
      description:
        'Significant ones, strongest first: the suspects of the issue. Simultaneous 95% intervals over all flags and issues of the period. An association, not proof of a cause.',
    }),
    attributions: Attributions,
  }),
  errors: ['query-too-large'],
})

const frame = { function: Type.String(), file: Type.String(), line: Count, column: Count }

/** Why a frame is not mapped to its original source. */
export const unmappedReasons = {
  'no-script': 'The browser reports no script for this frame.',
  inline: 'The script is inline in the page.',
  'third-party': 'The script belongs to another site or a browser extension.',
  'not-uploaded': 'No source map was uploaded for a script with this name.',
  'other-path': 'The uploaded maps for this script name are for other folders.',
  'other-build':
    'The uploaded maps for this script name are from other builds: the hash in the name differs.',
  'other-version': 'The uploaded maps of this script are for other versions.',
  'no-line': 'The map of this script ends before this line: it is from another build.',
  'no-position': 'The map of this script has no mapping for this position: it is from another build.',
} as const
export type UnmappedReason = keyof typeof unmappedReasons

/** A stack frame and its position in the original source. */
export const MappedFrame = Type.Object({
  ...frame,
  original: Nullable(
    Type.Object({
      ...frame,
      code: Nullable(
        Type.Object(
          { first: Count, lines: Type.Array(Type.String()) },
          { description: 'Surrounding lines.' },
        ),
      ),
    }),
  ),
  why: Nullable(Type.Enum(Object.keys(unmappedReasons) as UnmappedReason[])),
  nearest: Nullable(
    Type.Object(
      { file: Type.String(), version: Type.String() },
      { description: 'The closest uploaded map.' },
    ),
  ),
})

export const OriginalStack = Type.Array(Type.Object(frame), {
  description:
    'The frames through source maps; a frame without one as the browser wrote it. Empty where no frame has one.',
})

export const IssueEvent = Type.Object({
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
  stack: Type.String({ description: 'Minified position.' }),
  frames: Type.Array(MappedFrame, { description: 'Innermost first.' }),
  originalComponentStack: OriginalStack,
  page: Type.String(),
  url: Type.String(),
  client: Type.String({ description: 'SDK that sent it: `telltale` or `datadog`.' }),
  service: Type.String(),
  traceId: Type.String({ description: 'Empty outside of a trace.' }),
  version: Type.String(),
  browser: Type.String(),
  browserVersion: Type.String(),
  os: Type.String(),
  device: Type.String(),
  country: Type.String(),
  hasReplay: Type.Boolean(),
  flags: Type.Array(Type.String()),
  attributes: Type.Record(Type.String(), Type.String()),
})

export const listIssueEvents = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue/events',
  summary: 'List the errors of an issue, the newest first.',
  permission: 'project.view',
  query: Strict({ ...pageQuery, ...periodQuery }),
  reply: Page(IssueEvent),
  errors: ['query-too-large'],
})

export const getIssueEvent = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue/events/:event',
  summary: 'Show one error of an issue, with the previous and next one.',
  permission: 'project.view',
  query: Strict(periodQuery),
  reply: Type.Object({
    event: IssueEvent,
    /** Null at the ends of the period. */
    older: Nullable(Type.String()),
    newer: Nullable(Type.String()),
  }),
  errors: ['query-too-large'],
})

const decision = {
  state: Type.Optional(
    Type.Enum(['resolved', 'ignored', 'unresolved'], {
      description: 'A resolved issue seen in a later version becomes `regressed`.',
    }),
  ),
  ignoredUntil: Type.Optional(InstantParameter),
  assignee: Type.Optional(Nullable(Id)),
}

export const changeIssue = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue',
  summary: 'Resolve, ignore, reopen or assign an error issue.',
  permission: 'issues.resolve',
  versioned: true,
  body: Strict(decision),
  reply: Issue,
  errors: ['query-too-large'],
})

export const changeIssues = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/environments/:env/issues',
  summary: 'Resolve, ignore, reopen or assign several error issues.',
  permission: 'issues.resolve',
  body: Strict({
    issues: Type.Array(Id, { minItems: 1, maxItems: limits.pageSizeMaximum, uniqueItems: true }),
    ...decision,
  }),
  reply: Type.Object({
    issues: Type.Array(Issue, { description: 'The issues found, after the change.' }),
    refused: Type.Array(Type.Object({ id: Id, message: Type.String() }), {
      description: 'Issues not found, or not in a state that allows it.',
    }),
  }),
  errors: ['query-too-large'],
})

export const mergeIssues = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue/merge',
  summary:
    'Merge error issues into this one, including their later errors. The state of this one stays; each can be split off again.',
  permission: 'issues.resolve',
  body: Strict({
    issues: Type.Array(Id, { minItems: 1, maxItems: limits.pageSizeMaximum, uniqueItems: true }),
  }),
  reply: Issue,
  errors: ['query-too-large'],
})

export const splitIssue = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue/split',
  summary: 'Split off a manually merged error issue, in its former state. Returns it.',
  permission: 'issues.resolve',
  body: Strict({ merged: Id }),
  reply: Issue,
  errors: ['query-too-large'],
})

export const issueCalls = {
  listIssues,
  getIssue,
  listIssueEvents,
  getIssueEvent,
  changeIssue,
  changeIssues,
  mergeIssues,
  splitIssue,
}

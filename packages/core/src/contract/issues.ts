// Error issues: the errors of an environment, grouped by where they are thrown. Their number, and who they met, comes from
// the events of the period asked for; what people decided about them stays.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { at, Count, partial, periodQuery, stepped, stepQuery, Weighted } from './measured.ts'
import { Id, Instant, Nullable, Page, pageQuery, Strict, Version } from './parameters.ts'

export const issueStates = ['unresolved', 'resolved', 'regressed', 'ignored'] as const
const IssueState = Type.Enum([...issueStates])

const members = {
  id: Id,
  group: Type.String({ description: 'What `issue:` of a filter takes.' }),
  type: Type.String({ description: 'Such as `TypeError`; empty when the browser named none.' }),
  message: Type.String({ description: 'Of the first error that was noted; it stays.' }),
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
  events: Weighted,
  sessions: Count,
  users: Count,
}

/** A suspect: how many times as often the issue is met by users with one variation as by those with the flag's others. */
const Lift = Type.Object({
  flag: Type.String(),
  variation: Type.String(),
  and: Nullable(
    Type.Object(
      { flag: Type.String(), variation: Type.String() },
      { description: 'It is met more often by users with both only.' },
    ),
  ),
  users: Count,
  hits: Type.Unsafe<number>({ ...Count, description: 'Users with it who met the issue.' }),
  otherUsers: Count,
  otherHits: Count,
  ratio: Type.Number(),
  lower: Type.Number(),
  upper: Nullable(Type.Number({ description: 'Null: no upper bound, no other user met it.' })),
})

export const issueSorts = ['users', 'events', 'sessions', 'last-seen', 'first-seen'] as const

export const listIssues = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/issues',
  summary: 'List the error issues that were seen in a period.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...periodQuery,
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
          description: 'Events in equal parts of the period, the oldest first.',
        }),
        /** The strongest suspect, as in `lifts` of the issue; null when none stands out. */
        lift: Nullable(Lift),
      }),
    ).properties,
    states: Type.Object(
      { unresolved: Count, resolved: Count, regressed: Count, ignored: Count },
      { description: 'Issues that were found in each state, whatever `state` and the page are.' },
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
  query: Strict({ ...periodQuery, ...stepQuery }),
  reply: Type.Object({
    ...members,
    ...seen,
    ...stepped,
    series: Type.Array(Weighted, { description: 'Events in equal parts of the period.' }),
    points: Type.Array(Type.Object({ at, partial, events: Weighted, sessions: Count }), {
      description: 'Every step of the period, those without errors too.',
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
      { description: 'Issues that were merged into this one by hand, and can be split off.' },
    ),
    attributes: Type.Array(Type.Object({ name: Type.String(), values: Type.Array(Slice) }), {
      description: 'What the application said of its errors: the names that most of them carry.',
    }),
    lifts: Type.Array(Lift, {
      description:
        'The strongest first, those alone that stand out: the same numbers as the suspects of the issue. All intervals, of all flags and all issues of the period, hold together with 95 %. No cause is claimed.',
    }),
  }),
  errors: ['query-too-large'],
})

const frame = { function: Type.String(), file: Type.String(), line: Count, column: Count }

/** Why a frame stands as the browser wrote it. */
export const unmappedReasons = {
  'no-script': 'The browser names no script here.',
  inline: 'The script stands in the page itself.',
  'third-party': 'The script is of another site, or of an extension of the browser.',
  'not-uploaded': 'No source map of a script with this name was uploaded.',
  'other-path': 'The maps of scripts with this name are of other folders.',
  'other-build': 'The maps of scripts with this name are of other builds: the hash in the name differs.',
  'other-version': 'The maps of this script are of other versions.',
  'no-line': 'The map of this script ends before this line: it is of another build.',
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
  stack: Type.String({ description: 'As the browser wrote it.' }),
  frames: Type.Array(MappedFrame, { description: 'The innermost first.' }),
  page: Type.String(),
  url: Type.String(),
  client: Type.String({ description: 'Whose client sent it: `telltale`, or `datadog`.' }),
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
  summary: 'Show one error of an issue, and which come before and after it.',
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
      description: 'Resolved: seen again in a later version than any until now, it is `regressed`.',
    }),
  ),
  ignoredUntil: Type.Optional(Instant),
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
  summary: 'Resolve, ignore, reopen or assign many error issues at once; what already is so stays as it is.',
  permission: 'issues.resolve',
  body: Strict({
    issues: Type.Array(Id, { minItems: 1, maxItems: limits.pageSizeMaximum, uniqueItems: true }),
    ...decision,
  }),
  reply: Type.Object({
    issues: Type.Array(Issue, { description: 'All that were found, as they are now.' }),
    refused: Type.Array(Type.Object({ id: Id, message: Type.String() }), {
      description: 'Those that cannot become so, and those that are not there.',
    }),
  }),
  errors: ['query-too-large'],
})

export const mergeIssues = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments/:env/issues/:issue/merge',
  summary:
    'Merge error issues into this one, with all of their later errors. What was decided about this one stays; each can be split off again.',
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
  summary:
    'Split off an error issue that was merged into this one by hand; it is as it was before. Gives it.',
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

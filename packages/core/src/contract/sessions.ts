// The sessions of an environment: searched by what happened in them, and shown one at a time from first to last
// event.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { SessionAttributions } from './attributions.ts'
import { call } from './call.ts'
import { StoredEvent } from './intake.ts'
import { OriginalStack } from './issues.ts'
import {
  at,
  Count,
  exactQuery,
  partial,
  period,
  periodQuery,
  Sample,
  stepped,
  stepQuery,
  Vital,
  Weighted,
} from './measured.ts'
import { Id, Instant, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const Worst = Nullable(Type.Number({ description: 'Worst value in the session; null if not measured.' }))

export const SessionSummary = Type.Object({
  id: Id,
  startedAt: Instant,
  endedAt: Instant,
  /** Milliseconds from the first event to the last. */
  length: Type.Number({ minimum: 0 }),
  /** Events may still arrive: the last one is within the session's idle timeout. */
  running: Type.Boolean(),
  userKey: Type.String({ description: 'The latest; empty for anonymous users.' }),
  anonymousId: Type.String(),
  source: Type.String({ description: 'SDK that sent it: `telltale` or `datadog`.' }),
  version: Type.String(),
  country: Type.String(),
  browser: Type.String(),
  os: Type.String(),
  device: Type.String(),
  entryPage: Type.String(),
  exitPage: Type.String(),
  events: Count,
  views: Count,
  actions: Count,
  requests: Count,
  failedRequests: Count,
  errors: Count,
  unhandledErrors: Count,
  rageClicks: Count,
  deadClicks: Count,
  errorClicks: Count,
  /** Errors, failed requests and frustrated clicks. */
  trouble: Count,
  lcp: Worst,
  inp: Worst,
  cls: Worst,
  hasReplay: Type.Boolean({ description: 'At least partly recorded.' }),
  replay: Nullable(
    Type.Object(
      { startedAt: Instant, length: Type.Number({ minimum: 0 }), kept: Type.Boolean() },
      { description: 'The recording; null if it has not arrived or was deleted.' },
    ),
  ),
  hasProfile: Type.Boolean({ description: 'Has a profile.' }),
  bot: Type.Boolean(),
  flags: Type.Array(Type.String(), { description: 'Every `flag=variation` exposed in it.' }),
})

export const sessionSorts = ['newest', 'trouble', 'errors', 'length', 'lcp', 'inp'] as const
export type SessionSort = (typeof sessionSorts)[number]

const sessionQuery = {
  ...periodQuery,
  sequence: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.filterLength,
      description: `Filters that events of the session match in order, up to ${limits.sequenceSteps}: \`kind:view page:/cart -> kind:error\`.`,
    }),
  ),
}

export const listSessions = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/sessions',
  summary: 'List the sessions that began in a period and match a filter.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...sessionQuery,
    sort: Type.Optional(
      Type.Enum([...sessionSorts], {
        description: 'Default: newest. The others: most, longest or slowest first.',
      }),
    ),
  }),
  reply: Page(SessionSummary),
  errors: ['query-too-large'],
})

export const listSessionFacets = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/sessions/facets',
  summary: 'List the most frequent values among the sessions that match a filter, with counts.',
  permission: 'project.view',
  query: Strict({
    ...sessionQuery,
    ...exactQuery,
    fields: Type.String({
      minLength: 1,
      maxLength: 2_000,
      description:
        'Separated by commas: fields of sessions, such as `browser,flag:checkout,flag,lcp,errors`.',
    }),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What values contain.' })),
    top: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.facetValues, description: 'Default: 5.' })),
  }),
  reply: Type.Object({
    ...period,
    sample: Sample,
    /** Sessions that match the filter. */
    sessions: Weighted,
    /** All sessions that began in the period. */
    of: Weighted,
    facets: Type.Array(
      Type.Object({
        field: Type.String(),
        /** A filter on the field itself does not narrow its values. Vitals by rating, counts as `none` and `some`. */
        values: Type.Array(Type.Object({ value: Type.String(), count: Weighted })),
        distinct: Count,
      }),
    ),
  }),
  errors: ['query-too-large'],
})

export const getSessionSeries = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/sessions/series',
  summary: 'Count the sessions that match a filter over time, and those with errors.',
  permission: 'project.view',
  query: Strict({ ...sessionQuery, ...stepQuery }),
  reply: Type.Object({
    ...stepped,
    sessions: Weighted,
    withErrors: Weighted,
    series: Type.Array(Type.Object({ at, partial, sessions: Weighted, withErrors: Weighted })),
  }),
  errors: ['query-too-large'],
})

export const listSessionVariations = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/sessions/variations',
  summary: 'Compare the sessions that match a filter by flag variation.',
  permission: 'project.view',
  query: Strict({ ...sessionQuery, flag: Type.String({ minLength: 1, maxLength: limits.keyLength }) }),
  reply: Type.Object({
    ...period,
    variations: Type.Array(
      Type.Object({
        variation: Type.String(),
        sessions: Weighted,
        /** Sessions of these that were also exposed to another variation: they count for both. */
        withOthers: Weighted,
        withErrors: Weighted,
        withFailedRequests: Weighted,
        withFrustration: Weighted,
        vitals: Type.Array(Vital, { description: 'Measured after exposure to the variation.' }),
      }),
      { description: 'Largest first, at most 20.' },
    ),
  }),
  errors: ['query-too-large'],
})

const SessionView = Type.Object({
  id: Id,
  page: Type.String(),
  url: Type.String(),
  startedAt: Instant,
  duration: Type.Number(),
  active: Type.Boolean(),
  exit: Type.String(),
  lcp: Worst,
  inp: Worst,
  cls: Worst,
  fcp: Worst,
  ttfb: Worst,
  actions: Count,
  resources: Count,
  errors: Count,
  longFrames: Count,
  frustrations: Count,
})

const FlagChange = Type.Object({
  at: Instant,
  flag: Type.String(),
  variation: Type.String(),
  /** Null: first exposure. */
  previous: Nullable(Type.String()),
  /** The split that assigned it; null for a variation that a rule served. */
  split: Nullable(Type.String()),
  epoch: Nullable(Type.Integer()),
})

export const SessionDetail = Type.Object({
  ...SessionSummary.properties,
  userKeys: Type.Array(Type.String()),
  versions: Type.Array(Type.String()),
  viewList: Type.Array(SessionView, { description: 'In order of time.' }),
  flagChanges: Type.Array(FlagChange, { description: 'In order of time.' }),
})

export const getSession = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/sessions/:session',
  summary: 'Show one session: user, location, views, and flag changes.',
  permission: 'project.view',
  reply: Type.Object({ ...SessionDetail.properties, attributions: SessionAttributions }),
  errors: ['query-too-large'],
})

export const TimelineEvent = Type.Object({
  ...StoredEvent.properties,
  tab: Nullable(Type.String()),
  action: Nullable(Type.String()),
  traceId: Type.String(),
  frustration: Type.Array(Type.String()),
  resourceType: Type.String(),
  method: Type.String(),
  host: Type.String(),
  size: Type.Integer(),
  issue: Nullable(Type.String()),
  handled: Type.Boolean(),
  stack: Type.String(),
  originalStack: OriginalStack,
  blocking: Type.Number(),
  scripts: Type.Array(Type.Object({ source: Type.String(), function: Type.String(), ms: Type.Number() })),
})

export const listSessionEvents = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/sessions/:session/events',
  summary: 'List all events of a session in order of time.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.sessionEventsPage,
        description: `Default ${limits.pageSize}.`,
      }),
    ),
    filter: periodQuery.filter,
  }),
  reply: Page(TimelineEvent),
  errors: ['query-too-large'],
})

export const getSimilarSession = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/sessions/:session/similar',
  summary:
    'Find the most similar recorded session of a user with another variation of a flag: by page path, device, country, hour and browser.',
  permission: 'project.view',
  query: Strict({
    flag: Type.String({ minLength: 1, maxLength: limits.keyLength }),
    control: Type.String({
      minLength: 1,
      maxLength: limits.keyLength,
      description: 'The only variation that the similar session was exposed to.',
    }),
  }),
  reply: Type.Object({
    lookedAt: Type.Integer({
      minimum: 0,
      description: `Recorded sessions with that variation within ${limits.similarSessionSpan / 86_400_000} days, ${limits.similarSessionsCompared} at most.`,
    }),
    similar: Nullable(
      Type.Object({
        session: Id,
        startedAt: Instant,
        closeness: Type.Number({ minimum: 0, maximum: 1 }),
        isClose: Type.Boolean({
          description: 'At least half of the page path is the same, on the same kind of device.',
        }),
        pages: Type.Number({ minimum: 0, maximum: 1, description: 'Shared part of the page path.' }),
        sameDevice: Type.Boolean(),
        sameCountry: Type.Boolean(),
        sameBrowser: Type.Boolean(),
        hoursApart: Type.Number({ description: 'Difference in time of day.' }),
      }),
    ),
  }),
  errors: ['query-too-large'],
})

export const sessionCalls = {
  listSessions,
  listSessionFacets,
  getSessionSeries,
  listSessionVariations,
  getSession,
  listSessionEvents,
  getSimilarSession,
}

// Funnels, retention and paths: what users do one after the other. A step is a filter over events. Numbers are those of
// users or sessions, never of events.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Count, Filter, FilterField, period, periodQuery, Share } from './measured.ts'
import { Instant, Nullable, Page, pageQuery, Strict } from './parameters.ts'
import { SessionSummary } from './sessions.ts'

export const funnelUnits = ['user', 'session'] as const
export type FunnelUnit = (typeof funnelUnits)[number]

const Unit = Type.Enum([...funnelUnits], {
  description:
    'Default: user. The targeting key with which a session began, otherwise its anonymous id, otherwise the session.',
})
/** Wilson's interval of 95 %. */
const ShareInterval = Nullable(
  Type.Object(
    { share: Share, lower: Share, upper: Share },
    { description: 'With the bounds of its 95 % interval; null without a denominator.' },
  ),
)
const SplitField = Type.Optional({
  ...FilterField,
  description:
    '`flag:checkout` for its variations, or a field of events such as `browser`, `device`, `country` or `version`.',
})
const Control = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: limits.keyLength,
    description: 'The variation that the others are compared with. Default: the one with the most users.',
  }),
)
/** Of a split by a flag; null otherwise. */
const Excluded = Nullable(
  Type.Object({
    /** Exposed to more than one variation in the period. */
    mixed: Count,
    /** Not exposed in the period, or not by the first step. */
    unexposed: Count,
  }),
)

const FunnelStep = Type.Object({
  count: Count,
  ofFirst: ShareInterval,
  ofPrevious: ShareInterval,
  /** From the previous step, the first time that the step is reached. */
  medianTime: Nullable(
    Type.Number({
      minimum: 0,
      description: `Milliseconds from the previous step; null with fewer than ${limits.funnelMedianMinimum} times.`,
    }),
  ),
})
const Difference = Nullable(
  Type.Object(
    { change: Type.Number(), lower: Type.Number(), upper: Type.Number() },
    {
      description:
        'Share of the first step minus that of the control, with an interval that stays valid however often it is read.',
    },
  ),
)

/** What a funnel measures, in any period. */
export const funnelMembers = {
  steps: Type.String({
    minLength: 1,
    maxLength: limits.funnelStepsLength,
    description: `Filters of 2 to ${limits.funnelSteps} steps in order: \`kind:view page:/cart -> kind:custom name:bought\`.`,
  }),
  unit: Type.Optional(Unit),
  window: Type.Optional(
    Type.Integer({
      minimum: limits.funnelWindowMinimum,
      maximum: limits.funnelWindowMaximum,
      description: `Milliseconds from the first step to the last, inclusive. Default: ${limits.funnelWindow}.`,
    }),
  ),
  by: SplitField,
}
const funnelQuery = { ...periodQuery, ...funnelMembers }

const funnelPath = '/api/v1/projects/:project/environments/:env/explore/funnel' as const

export const measureFunnel = call({
  method: 'GET',
  path: funnelPath,
  summary: 'Count the users or sessions that take steps in order, overall and by variation or another field.',
  permission: 'project.view',
  query: Strict({ ...funnelQuery, control: Control }),
  reply: Type.Object({
    ...period,
    unit: Type.Enum([...funnelUnits]),
    window: Type.Integer(),
    steps: Type.Array(FunnelStep),
    groups: Type.Array(
      Type.Object({
        value: Type.String(),
        steps: Type.Array(Type.Object({ ...FunnelStep.properties, difference: Difference })),
      }),
      { description: `At most ${limits.funnelGroups}, the largest first; empty without \`by\`.` },
    ),
    /** Groups that are not listed. */
    others: Type.Object({ values: Count, count: Count }),
    control: Nullable(Type.String()),
    excluded: Excluded,
  }),
  errors: ['query-too-large'],
})

export const listFunnelSessions = call({
  method: 'GET',
  path: `${funnelPath}/sessions`,
  summary: 'List the sessions in which users reached a step, or were lost before it. Latest first.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...funnelQuery,
    step: Type.Integer({ minimum: 1, maximum: limits.funnelSteps, description: 'Counted from 1.' }),
    outcome: Type.Optional(
      Type.Enum(['lost', 'reached'], {
        description: 'Default: lost, which is reaching the step before but not this one.',
      }),
    ),
    value: Type.Optional(Type.String({ maxLength: 200, description: 'Of one group of `by`.' })),
  }),
  reply: Page(SessionSummary),
  errors: ['query-too-large'],
})

export const measureRetention = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/explore/retention',
  summary: 'Count the users who return after their first event of the period, by day or week.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    first: Type.Optional(Filter),
    return: Type.Optional(Filter),
    step: Type.Optional(
      Type.Enum(['day', 'week'], {
        description: `Of the environment's time zone. Default: day in periods of up to ${limits.retentionDays} days.`,
      }),
    ),
    by: SplitField,
  }),
  reply: Type.Object({
    ...period,
    step: Type.Enum(['day', 'week']),
    timeZone: Type.String(),
    /** Days or weeks in the period. */
    steps: Count,
    cohorts: Type.Array(
      Type.Object({
        at: Instant,
        partial: Type.Boolean({ description: 'The period begins or ends within this day or week.' }),
        size: Count,
        returns: Type.Array(
          Type.Object({
            count: Count,
            partial: Type.Boolean({ description: 'Not over yet: more users may return.' }),
          }),
          { description: 'One for each following day or week that has begun.' },
        ),
      }),
    ),
    lines: Type.Array(
      Type.Object({
        /** Null for all users. */
        value: Nullable(Type.String()),
        size: Count,
        points: Type.Array(Type.Object({ count: Count, of: Count, rate: ShareInterval }), {
          description: 'Over the cohorts whose day or week is over, from the first one after their own.',
        }),
      }),
      { description: 'All users, then the groups of `by`.' },
    ),
    excluded: Excluded,
  }),
  errors: ['query-too-large'],
})

const pathsQuery = {
  ...periodQuery,
  start: {
    ...Filter,
    minLength: 1,
    description: 'The event at which paths start, such as `kind:view page:/cart`.',
  },
  direction: Type.Optional(Type.Enum(['after', 'before'], { description: 'Default: after.' })),
  of: Type.Optional(
    Type.Enum(['pages', 'events'], {
      description: 'Views by page, or actions and custom events by name. Default: pages.',
    }),
  ),
}
const pathsPath = '/api/v1/projects/:project/environments/:env/explore/paths' as const

export const measurePaths = call({
  method: 'GET',
  path: pathsPath,
  summary: 'Count the pages or events that follow or precede an event in a session, step by step.',
  permission: 'project.view',
  query: Strict({
    ...pathsQuery,
    top: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.pathValues, description: 'Values per step. Default: 8.' }),
    ),
  }),
  reply: Type.Object({
    ...period,
    /** With the start; the first one in each counts. */
    sessions: Count,
    steps: Type.Array(
      Type.Object({
        /** Sessions that have this step. */
        sessions: Count,
        values: Type.Array(Type.Object({ value: Type.String(), sessions: Count })),
        others: Type.Object({ values: Count, sessions: Count }),
      }),
    ),
    paths: Type.Array(Type.Object({ values: Type.Array(Type.String()), sessions: Count }), {
      description: `The ${limits.pathsListed} most frequent; an empty one ends at the start.`,
    }),
    distinct: Count,
  }),
  errors: ['query-too-large'],
})

export const listPathSessions = call({
  method: 'GET',
  path: `${pathsPath}/sessions`,
  summary: 'List the sessions with a page or event at a step of their path. Latest first.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...pathsQuery,
    step: Type.Integer({
      minimum: 0,
      maximum: limits.pathSteps,
      description: 'Counted from 1; 0 for every session with the start.',
    }),
    value: Type.Optional(
      Type.String({ maxLength: 2_000, description: 'Without it, sessions that have no such step.' }),
    ),
  }),
  reply: Page(SessionSummary),
  errors: ['query-too-large'],
})

export const funnelCalls = {
  measureFunnel,
  listFunnelSessions,
  measureRetention,
  measurePaths,
  listPathSessions,
}

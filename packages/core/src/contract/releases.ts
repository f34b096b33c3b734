// Releases: the versions of the monitored application, with adoption, crash-free shares and issues.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { vitalNames } from './events.ts'
import { Issue } from './issues.ts'
import {
  at,
  Count,
  partial,
  period,
  periodQuery,
  Share,
  stepped,
  stepQuery,
  Vital,
  Weighted,
} from './measured.ts'
import { Instant, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const ReleaseVersion = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The version that the application reports, such as `2.4.1`.',
})

/** A crash is an uncaught error or an unhandled rejection: an error that the application did not catch. */
const measured = {
  sessions: Type.Number({
    minimum: 0,
    description: 'That began in the period. One with two versions counts for both.',
  }),
  users: Count,
  crashFreeSessions: Nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share without an uncaught error while they ran this version.',
    }),
  ),
  crashFreeUsers: Nullable(Share),
  adoption: Nullable(
    Type.Number({ minimum: 0, maximum: 1, description: 'Share of the sessions that report a version.' }),
  ),
}

const release = {
  version: ReleaseVersion,
  firstSeenAt: Instant,
  lastSeenAt: Instant,
  ...measured,
  newIssues: Type.Integer({ minimum: 0, description: 'First seen in this version, at any time.' }),
  regressedIssues: Type.Integer({
    minimum: 0,
    description: 'Resolved earlier, and seen again in this version.',
  }),
  sourceMaps: Type.Integer({ minimum: 0, description: 'Uploaded for this version.' }),
}

export const releaseOrders = ['first-seen', 'sessions', 'users', 'crashes'] as const

export const listReleases = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/releases',
  summary: 'List the versions of the application that were used in a period.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...periodQuery,
    sort: Type.Optional(
      Type.Enum([...releaseOrders], {
        description:
          'Newest, most sessions, most users, or lowest crash-free share first. Default: first-seen.',
      }),
    ),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Text that versions contain.' }),
    ),
  }),
  reply: Page(Type.Object(release)),
  errors: ['query-too-large'],
})

export const getAdoption = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/releases/adoption',
  summary: 'Show the sessions of the most used versions over time.',
  permission: 'project.view',
  query: Strict({ ...periodQuery, ...stepQuery }),
  reply: Type.Object({
    ...stepped,
    versions: Type.Array(ReleaseVersion, {
      description: `Most sessions first, at most ${limits.releasesCharted}.`,
    }),
    series: Type.Array(
      Type.Object({
        at,
        partial,
        all: Type.Number({ minimum: 0, description: 'Sessions that report a version.' }),
        sessions: Type.Array(Weighted, { description: 'In the order of `versions`.' }),
      }),
    ),
  }),
  errors: ['query-too-large'],
})

export const getRelease = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/release',
  summary: 'Show one version of the application: adoption over time, vitals and issues.',
  permission: 'project.view',
  query: Strict({ ...periodQuery, ...stepQuery, version: ReleaseVersion }),
  reply: Type.Object({
    ...stepped,
    ...release,
    /** First seen just before this one. */
    previous: Nullable(ReleaseVersion),
    vitals: Type.Array(Vital),
    series: Type.Array(
      Type.Object({
        at,
        partial,
        sessions: Weighted,
        crashed: Type.Number({ minimum: 0, description: 'Sessions with an uncaught error.' }),
        all: Type.Number({ minimum: 0, description: 'Sessions of any version.' }),
      }),
      { description: 'Every step of the period.' },
    ),
    issues: Type.Array(Type.Object({ ...Issue.properties, kind: Type.Enum(['new', 'regressed']) }), {
      description: `New and regressed issues, at most ${limits.releaseIssues}, last seen first.`,
    }),
  }),
  errors: ['query-too-large'],
})

/** Said wherever two releases are compared. */
export const releaseCaveat =
  'Users choose when they update, so this is an observation, not an experiment. Users are compared within the same hour and country; other differences between them can still cause a change.'

export const comparedMetrics = [
  'crashed-sessions',
  'failed-requests',
  'views-with-error',
  ...vitalNames,
] as const

export const compareReleases = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/releases/comparison',
  summary: 'Compare two versions of the application, within hours and countries.',
  permission: 'project.view',
  query: Strict({
    ...periodQuery,
    version: ReleaseVersion,
    base: Type.String({ minLength: 1, maxLength: 200, description: 'The version that it is compared with.' }),
  }),
  reply: Type.Object({
    ...period,
    version: ReleaseVersion,
    base: ReleaseVersion,
    caveat: Type.String(),
    metrics: Type.Array(
      Type.Object({
        metric: Type.Enum([...comparedMetrics], {
          description: 'Shares of sessions, requests and views; the p75 of a vital.',
        }),
        strata: Type.Integer({ minimum: 0, description: 'Hours and countries with both versions.' }),
        users: Type.Object({ version: Count, base: Count }),
        values: Nullable(
          Type.Object(
            { version: Type.Number(), base: Type.Number() },
            {
              description: 'Weighted over the strata with both versions, so not those of the release itself.',
            },
          ),
        ),
        change: Nullable(
          Type.Object(
            { estimate: Type.Number(), lower: Type.Number(), upper: Type.Number() },
            {
              description:
                'A difference for shares, relative for vitals. The interval holds at any time with 95 % or more.',
            },
          ),
        ),
        missing: Nullable(
          Type.Enum(['too-few', 'no-units', 'no-positive-mean', 'no-variance', 'lowest-bucket', 'unusable'], {
            description: 'Why there is no change.',
          }),
        ),
      }),
    ),
  }),
  errors: ['query-too-large'],
})

export const releaseCalls = { listReleases, getAdoption, compareReleases, getRelease }

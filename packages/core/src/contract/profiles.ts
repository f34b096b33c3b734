// Profiles: the scripts of pages sampled every 10 ms, summed over any filter, compared between two variations, or for
// one view from start to end. Times are derived from samples: each counts for the time until the next one.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { type UnmappedReason, unmappedReasons } from './issues.ts'
import { Count, period, periodQuery } from './measured.ts'
import { Id, Instant, Key, Nullable, Page, pageQuery, Strict } from './parameters.ts'

const base = '/api/v1/projects/:project/environments/:env/profiles'
const Milliseconds = Type.Number({ minimum: 0, description: 'Milliseconds.' })
const PageName = Type.String({ maxLength: limits.eventNameLength, description: 'The route as a template.' })

/** A function with its position; in the original source if there is a source map for its version. */
export const ProfiledFrame = Type.Object({
  function: Type.String({ description: 'Empty: anonymous.' }),
  file: Type.String({ description: 'Empty: browser code.' }),
  line: Count,
  column: Count,
  version: Type.String({ description: 'Latest application version that ran it.' }),
  original: Nullable(
    Type.Object({ function: Type.String(), file: Type.String(), line: Count, column: Count }),
  ),
})
export type ProfiledFrame = Static<typeof ProfiledFrame>

const counted = {
  profiles: Count,
  sessions: Count,
  /** Over all samples. */
  totalMs: Milliseconds,
}

export const listProfilePages = call({
  method: 'GET',
  path: `${base}/pages`,
  summary: 'List the pages with profiles, most script time first.',
  permission: 'replays.view',
  query: Strict({ ...periodQuery }),
  reply: Type.Object({
    ...period,
    pages: Type.Array(
      Type.Object({
        page: Type.String(),
        ...counted,
        hottest: Type.Array(
          Type.Object({ frame: ProfiledFrame, selfMs: Milliseconds, share: Type.Number() }),
          { description: 'The three functions with the most self time.' },
        ),
      }),
      { description: 'At most 200.' },
    ),
  }),
  errors: ['query-too-large'],
})

export const getFlameGraph = call({
  method: 'GET',
  path: `${base}/flame-graph`,
  summary: 'Sum the profiles of a filter into one flame graph.',
  permission: 'replays.view',
  query: Strict({ ...periodQuery, page: Type.Optional(PageName) }),
  reply: Type.Object({
    ...period,
    ...counted,
    frames: Type.Array(ProfiledFrame, { description: 'Each function once; nodes refer to it by index.' }),
    nodes: Type.Array(
      Type.Object({
        frame: Count,
        parent: Type.Integer({ minimum: -1, description: 'Index of the calling node; -1: none.' }),
        selfMs: Milliseconds,
        totalMs: Milliseconds,
        samples: Count,
      }),
      { description: `Callers before callees. At most ${limits.profileFrames}.` },
    ),
    /** In stacks, or parts of them, that are too small to be drawn. */
    restMs: Milliseconds,
    mapped: Type.Boolean({ description: 'At least one function is mapped to source code.' }),
  }),
  errors: ['query-too-large'],
})

const Side = Type.Object({
  variation: Type.String(),
  ...counted,
  /** Users, browsers or accounts, depending on what the split buckets on. */
  units: Count,
  msPerProfile: Milliseconds,
})

/** Milliseconds per profile on both sides, and how much more the second has. */
const Compared = Type.Object({
  control: Milliseconds,
  treatment: Milliseconds,
  change: Type.Number(),
  lower: Type.Number(),
  upper: Type.Number(),
  certain: Type.Boolean({ description: 'The interval excludes zero.' }),
})

export const getProfileDifference = call({
  method: 'GET',
  path: `${base}/difference`,
  summary: 'Compare the profiles of two variations, function by function, each with an interval.',
  permission: 'replays.view',
  query: Strict({
    ...periodQuery,
    page: Type.Optional(PageName),
    flag: Key,
    control: Type.String({ minLength: 1, maxLength: limits.keyLength }),
    treatment: Type.String({ minLength: 1, maxLength: limits.keyLength }),
  }),
  reply: Type.Object({
    ...period,
    control: Side,
    treatment: Side,
    /** Everything that ran. */
    all: Compared,
    /** Both come from the same split, so the assignment is random. */
    comparable: Type.Boolean(),
    enough: Type.Boolean({
      description: `At least ${limits.profileMinimum} profiles and ten units on each side.`,
    }),
    frames: Type.Array(Type.Object({ frame: ProfiledFrame, self: Compared, total: Compared }), {
      description: `The largest change first, of the ${limits.profileFramesCompared} functions with the most time. Together the intervals hold with 95 %.`,
    }),
  }),
  errors: ['query-too-large'],
})

export const ProfileSummary = Type.Object({
  id: Id,
  session: Id,
  view: Nullable(Id),
  page: Type.String(),
  version: Type.String(),
  browser: Type.String(),
  device: Type.String(),
  startedAt: Instant,
  /** From its first sample to its end. */
  duration: Milliseconds,
  /** The part of it in which scripts ran. */
  busyMs: Milliseconds,
  flags: Type.Array(Type.String()),
})

export const listProfiles = call({
  method: 'GET',
  path: base,
  summary: 'List profiles, the newest first: of a page, of a session, or of a view.',
  permission: 'replays.view',
  query: Strict({
    ...pageQuery,
    ...periodQuery,
    page: Type.Optional(PageName),
    session: Type.Optional(Id),
    view: Type.Optional(Id),
  }),
  reply: Page(ProfileSummary),
  errors: ['query-too-large'],
})

export const getProfile = call({
  method: 'GET',
  path: `${base}/:profile`,
  summary: 'Show one profile sample by sample, with its long frames.',
  permission: 'replays.view',
  reply: Type.Object({
    ...ProfileSummary.properties,
    frames: Type.Array(ProfiledFrame),
    stacks: Type.Array(Type.Object({ frame: Count, parent: Type.Integer({ minimum: -1 }) }), {
      description: 'Callers before callees; -1: no caller.',
    }),
    samples: Type.Array(
      Type.Object({
        at: Type.Number({ minimum: 0, description: 'Milliseconds since the start.' }),
        duration: Milliseconds,
        stack: Type.Integer({ minimum: -1, description: '-1: idle.' }),
      }),
    ),
    longFrames: Type.Array(Type.Object({ at: Milliseconds, duration: Milliseconds })),
    mapped: Type.Boolean(),
  }),
  errors: ['query-too-large'],
})

export const getProfiledCode = call({
  method: 'GET',
  path: `${base}/code`,
  summary: 'Show the source code of a profiled function, from the source map of its version.',
  permission: 'replays.view',
  query: Strict({
    file: Type.String({ maxLength: limits.eventTextLength }),
    line: Type.Integer({ minimum: 0 }),
    column: Type.Integer({ minimum: 0 }),
    version: Type.Optional(Type.String({ maxLength: limits.eventNameLength })),
  }),
  reply: Type.Object({
    original: ProfiledFrame.properties.original,
    code: Nullable(
      Type.Object(
        { first: Count, lines: Type.Array(Type.String()) },
        { description: 'The first lines of the function.' },
      ),
    ),
    why: Nullable(
      Type.Enum(Object.keys(unmappedReasons) as UnmappedReason[], {
        description: 'Why there is no original code.',
      }),
    ),
  }),
})

export const profileCalls = {
  listProfilePages,
  getFlameGraph,
  getProfileDifference,
  listProfiles,
  getProfile,
  getProfiledCode,
}

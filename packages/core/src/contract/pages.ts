// The pages of an application by route, and the user experience of each.

import { Type } from 'typebox'
import { call } from './call.ts'
import {
  Count,
  exactQuery,
  FilterField,
  periodQuery,
  SampledPage,
  Share,
  sampled,
  Vital,
  VitalName,
  Weighted,
} from './measured.ts'
import { Nullable, pageQuery, Strict } from './parameters.ts'

const Route = Type.String({
  maxLength: 200,
  description: 'The route as a template, such as `/orders/:id`.',
})
const onePage = { ...periodQuery, ...exactQuery, page: Route }

export const pageOrders = ['views', 'LCP', 'INP', 'CLS', 'FCP', 'TTFB', 'good', 'errors'] as const

export const listPages = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/pages',
  summary: 'List the pages of an environment with their vitals.',
  permission: 'project.view',
  query: Strict({
    ...pageQuery,
    ...periodQuery,
    ...exactQuery,
    sort: Type.Optional(
      Type.Enum([...pageOrders], {
        description:
          'Most views, the slowest p75 of a vital, the smallest share of good loads, or most errors first. Default: views.',
      }),
    ),
    search: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Text that routes contain.' }),
    ),
  }),
  reply: SampledPage(
    Type.Object({
      page: Route,
      views: Weighted,
      sessions: Count,
      errors: Weighted,
      vitals: Type.Array(Vital, { description: 'In the order LCP, INP, CLS, FCP, TTFB.' }),
      /** Share of the LCP, INP and CLS values. */
      good: Nullable(Share),
    }),
  ),
  errors: ['query-too-large'],
})

const Bin = Type.Object({
  from: Type.Number(),
  /** Null: unbounded. */
  to: Nullable(Type.Number()),
  count: Weighted,
})

export const getPage = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/page',
  summary: 'Show one page: its vitals with their distributions, views, sessions and errors.',
  permission: 'project.view',
  query: Strict(onePage),
  reply: Type.Object({
    ...sampled,
    page: Route,
    views: Weighted,
    sessions: Count,
    errors: Weighted,
    longFrames: Weighted,
    vitals: Type.Array(
      Type.Object({
        ...Vital.properties,
        /** Good up to the first, poor beyond the second. */
        boundaries: Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
        bins: Type.Array(Bin, {
          description: 'Adjacent, from 0; the last one includes everything above.',
        }),
      }),
    ),
  }),
  errors: ['query-too-large'],
})

export const listPageElements = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/page/elements',
  summary: 'List the elements that a vital of a page is attributed to.',
  permission: 'project.view',
  query: Strict({ ...onePage, vital: VitalName }),
  reply: Type.Object({
    ...sampled,
    elements: Type.Array(
      Type.Object({
        element: Type.String({ description: 'A selector; empty if the browser gave none.' }),
        count: Count,
        /** Share of all values of the vital on this page that are not good. */
        shareOfSlow: Nullable(Share),
        p75: Nullable(Type.Number()),
      }),
      { description: 'Most slow loads first, at most 50.' },
    ),
  }),
  errors: ['query-too-large'],
})

export const listPageBreakdown = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/page/breakdown',
  summary:
    'Compare the vitals of a page between variations of a flag, devices, browsers, or values of any field.',
  permission: 'project.view',
  query: Strict({ ...onePage, by: FilterField, bins: Type.Optional(VitalName) }),
  reply: Type.Object({
    ...sampled,
    groups: Type.Array(
      Type.Object({
        value: Type.String({
          description: 'Empty without a value, for example without an exposure.',
        }),
        views: Weighted,
        vitals: Type.Array(Vital),
        /** Distribution of the vital that `bins` names, for overlaid lines. */
        bins: Type.Array(Bin),
      }),
      { description: 'Largest first, at most 20.' },
    ),
  }),
  errors: ['query-too-large'],
})

export const listPageResources = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/page/resources',
  summary: 'List the resources of a page, the most expensive first.',
  permission: 'project.view',
  query: Strict(onePage),
  reply: Type.Object({
    ...sampled,
    resources: Type.Array(
      Type.Object({
        type: Type.String(),
        host: Type.String(),
        /** The template of a request; the URL without query of anything else. */
        name: Type.String(),
        count: Weighted,
        p75: Nullable(Type.Number({ description: 'Milliseconds.' })),
        meanBytes: Type.Number(),
        failed: Share,
        /** Milliseconds times count. */
        total: Type.Number(),
      }),
      { description: 'At most 50.' },
    ),
  }),
  errors: ['query-too-large'],
})

export const listPageLongFrames = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env/page/long-frames',
  summary: 'List the scripts behind the long frames of a page, the longest total first.',
  permission: 'project.view',
  query: Strict(onePage),
  reply: Type.Object({
    ...sampled,
    frames: Weighted,
    p75: Nullable(Type.Number({ description: 'Of the duration, in milliseconds.' })),
    blocking: Type.Number({ description: 'Milliseconds per view.' }),
    scripts: Type.Array(
      Type.Object({
        source: Type.String(),
        function: Type.String(),
        count: Weighted,
        total: Type.Number({ description: 'Milliseconds.' }),
      }),
      { description: 'At most 50.' },
    ),
  }),
  errors: ['query-too-large'],
})

export const pageCalls = {
  listPages,
  getPage,
  listPageElements,
  listPageBreakdown,
  listPageResources,
  listPageLongFrames,
}

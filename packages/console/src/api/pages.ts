import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/pages'
import { limits } from '@telltale/core/limits'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import { request } from './client.ts'
import { exactQueryOf, periodRequestOf, type Question, questionQuery } from './question.ts'

export type PageRow = ReplyOf<typeof contract.listPages>['items'][number]
export type Vital = PageRow['vitals'][number]
export type PageDetail = ReplyOf<typeof contract.getPage>
export type PageVital = PageDetail['vitals'][number]
export type PageElement = ReplyOf<typeof contract.listPageElements>['elements'][number]
export type PageGroup = ReplyOf<typeof contract.listPageBreakdown>['groups'][number]
export type PageResource = ReplyOf<typeof contract.listPageResources>['resources'][number]
export type LongFrames = ReplyOf<typeof contract.listPageLongFrames>
type ListQuery = QueryOf<typeof contract.listPages>
export type PagesQuery = { [Name in 'sort' | 'search']: ListQuery[Name] | undefined }

const pageSize = 100

const telemetryKey = ({ project, env }: Question) => ['projects', project, 'environments', env, 'telemetry']

export const pagesQuery = (question: Question, { sort, search }: PagesQuery) =>
  infiniteQueryOptions({
    queryKey: [
      ...telemetryKey(question),
      'pages',
      sort,
      search,
      question.range,
      question.filter,
      question.isExact,
    ],
    queryFn: ({ pageParam, signal }) => {
      const { query, ...requested } = periodRequestOf(question, signal)
      return request(calls.pages.listPages, {
        ...requested,
        query: { ...query, ...exactQueryOf(question), sort, search, cursor: pageParam, limit: pageSize },
      })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** The pages with the most views. */
export const topPagesQuery = (question: Question, limit: number) =>
  questionQuery(question, ['top-pages', limit], async ({ query, ...requested }) => {
    const { items } = await request(calls.pages.listPages, { ...requested, query: { ...query, limit } })
    return items
  })

export const pageQuery = (question: Question, page: string) =>
  questionQuery(question, ['page', page], ({ query, ...requested }) =>
    request(calls.pages.getPage, { ...requested, query: { ...query, ...exactQueryOf(question), page } }),
  )

export const elementsQuery = (question: Question, { page, vital }: { page: string; vital: VitalName }) =>
  questionQuery(question, ['page-elements', page, vital], ({ query, ...requested }) =>
    request(calls.pages.listPageElements, {
      ...requested,
      query: { ...query, ...exactQueryOf(question), page, vital },
    }),
  )

/** Grouped by the values of a field; with the distributions of a vital when one is named. */
export const breakdownQuery = (
  question: Question,
  { page, by, bins }: { page: string; by: string; bins?: VitalName },
) =>
  questionQuery(question, ['page-breakdown', page, by, bins], ({ query, ...requested }) =>
    request(calls.pages.listPageBreakdown, {
      ...requested,
      query: { ...query, ...exactQueryOf(question), page, by, bins },
    }),
  )

export const resourcesQuery = (question: Question, page: string) =>
  questionQuery(question, ['page-resources', page], ({ query, ...requested }) =>
    request(calls.pages.listPageResources, {
      ...requested,
      query: { ...query, ...exactQueryOf(question), page },
    }),
  )

export const longFramesQuery = (question: Question, page: string) =>
  questionQuery(question, ['page-long-frames', page], ({ query, ...requested }) =>
    request(calls.pages.listPageLongFrames, {
      ...requested,
      query: { ...query, ...exactQueryOf(question), page },
    }),
  )

/** Variations of the flags evaluated in the sessions, as `flag=variation`, most frequent first. */
export const seenVariationsQuery = (question: Question) =>
  questionQuery(question, ['seen-variations'], async ({ query, ...requested }) => {
    const { facets } = await request(calls.sessions.listSessionFacets, {
      ...requested,
      query: { ...query, fields: 'flag', top: limits.facetValues },
    })
    return facets[0]?.values ?? []
  })

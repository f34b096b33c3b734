import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/pages'
import type * as sessions from '@telltale/core/contract/sessions'
import { limits } from '@telltale/core/limits'
import type { VitalName } from '@telltale/core/telemetry/vitals'
import { endpoint, request } from './client.ts'
import { askedOf, type Question, questionQuery } from './question.ts'

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

const base = '/api/v1/projects/:project/environments/:env'
const pagesCall = endpoint<typeof contract.listPages>('GET', `${base}/pages`)
const pageCall = endpoint<typeof contract.getPage>('GET', `${base}/page`)
const elementsCall = endpoint<typeof contract.listPageElements>('GET', `${base}/page/elements`)
const breakdownCall = endpoint<typeof contract.listPageBreakdown>('GET', `${base}/page/breakdown`)
const resourcesCall = endpoint<typeof contract.listPageResources>('GET', `${base}/page/resources`)
const longFramesCall = endpoint<typeof contract.listPageLongFrames>('GET', `${base}/page/long-frames`)

const facetsCall = endpoint<typeof sessions.listSessionFacets>('GET', `${base}/sessions/facets`)

const pageSize = 100

const telemetryKey = ({ project, env }: Question) => ['projects', project, 'environments', env, 'telemetry']

export const pagesQuery = (question: Question, { sort, search }: PagesQuery) =>
  infiniteQueryOptions({
    queryKey: [...telemetryKey(question), 'pages', sort, search, question.range, question.filter],
    queryFn: ({ pageParam, signal }) => {
      const { query, ...asked } = askedOf(question, signal)
      return request(pagesCall, {
        ...asked,
        query: { ...query, sort, search, cursor: pageParam, limit: pageSize },
      })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
  })

/** The pages with the most views. */
export const topPagesQuery = (question: Question, limit: number) =>
  questionQuery(question, ['top-pages', limit], async ({ query, ...asked }) => {
    const { items } = await request(pagesCall, { ...asked, query: { ...query, limit } })
    return items
  })

export const pageQuery = (question: Question, page: string) =>
  questionQuery(question, ['page', page], ({ query, ...asked }) =>
    request(pageCall, { ...asked, query: { ...query, page } }),
  )

export const elementsQuery = (question: Question, { page, vital }: { page: string; vital: VitalName }) =>
  questionQuery(question, ['page-elements', page, vital], ({ query, ...asked }) =>
    request(elementsCall, { ...asked, query: { ...query, page, vital } }),
  )

/** By the values of a field; with the distributions of a vital when it is named. */
export const breakdownQuery = (
  question: Question,
  { page, by, bins }: { page: string; by: string; bins?: VitalName },
) =>
  questionQuery(question, ['page-breakdown', page, by, bins], ({ query, ...asked }) =>
    request(breakdownCall, { ...asked, query: { ...query, page, by, bins } }),
  )

export const resourcesQuery = (question: Question, page: string) =>
  questionQuery(question, ['page-resources', page], ({ query, ...asked }) =>
    request(resourcesCall, { ...asked, query: { ...query, page } }),
  )

export const longFramesQuery = (question: Question, page: string) =>
  questionQuery(question, ['page-long-frames', page], ({ query, ...asked }) =>
    request(longFramesCall, { ...asked, query: { ...query, page } }),
  )

/** The flags that were read in the sessions, the most frequent first. */
export const readFlagsQuery = (question: Question) =>
  questionQuery(question, ['read-flags'], async ({ query, ...asked }) => {
    const { facets } = await request(facetsCall, {
      ...asked,
      query: { ...query, fields: 'flag', top: limits.facetValues },
    })
    const pairs = facets[0]?.values ?? []
    return [...new Set(pairs.map(({ value }) => value.split('=', 1)[0] ?? ''))]
  })

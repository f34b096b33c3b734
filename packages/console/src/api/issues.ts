import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BodyOf, QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/issues'
import { request } from './client.ts'
import { exactQueryOf, periodRequestOf, type Question, questionQuery } from './question.ts'

export type IssueList = ReplyOf<typeof contract.listIssues>
export type IssueRow = IssueList['items'][number]
export type ShownIssue = ReplyOf<typeof contract.getIssue>
/** The issue after a decision. */
export type Issue = ReplyOf<typeof contract.changeIssue>
export type Lift = ShownIssue['lifts'][number]
export type Slice = ShownIssue['slices']['browser'][number]
export type ShownEvent = ReplyOf<typeof contract.getIssueEvent>
export type IssueEvent = ShownEvent['event']
export type Frame = IssueEvent['frames'][number]
export type IssueDecision = BodyOf<typeof contract.changeIssue>
export type IssueFilter = Pick<QueryOf<typeof contract.listIssues>, 'state' | 'assignee' | 'sort' | 'search'>

const pageSize = 100

/** Invalidated by a change of an issue: all queries about errors of the environment. */
export const issuesKey = ({ project, env }: { project: string; env: string }) => [
  ...['projects', project, 'environments', env, 'telemetry'],
  'issues',
]

interface Period {
  from: string
  to: string
}
type IssuePage = IssueList & { readonly period: Period }

/** The error issues of a period, page by page. All pages use the period of the first one. */
export const issuesQuery = (question: Question, filter: IssueFilter) =>
  infiniteQueryOptions({
    queryKey: [...issuesKey(question), 'list', filter, question.range, question.filter, question.isExact],
    queryFn: async ({ pageParam, signal }): Promise<IssuePage> => {
      const { query, ...requested } = periodRequestOf(question, signal)
      const period = pageParam?.period ?? { from: query.from, to: query.to }
      const page = { cursor: pageParam?.cursor, limit: pageSize }
      const found = await request(calls.issues.listIssues, {
        ...requested,
        query: { ...query, ...exactQueryOf(question), ...period, ...filter, ...page },
      })
      return { ...found, period }
    },
    initialPageParam: undefined as { cursor: string; period: Period } | undefined,
    getNextPageParam: ({ next, period }) => (next === null ? undefined : { cursor: next, period }),
    placeholderData: keepPreviousData,
    // Only refresh a single page: several pages would each show a different moment.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? question.again : false),
  })

export const issueQuery = (question: Question, issue: string) =>
  questionQuery(question, ['issues', 'one', issue], ({ params, ...requested }) =>
    request(calls.issues.getIssue, { ...requested, params: { ...params, issue } }),
  )

/** `event` is an id, `newest` or `oldest`. */
export const issueEventQuery = (question: Question, issue: string, event: string) =>
  queryOptions({
    ...questionQuery(question, ['issues', 'event', issue, event], ({ params, ...requested }) =>
      request(calls.issues.getIssueEvent, { ...requested, params: { ...params, issue, event } }),
    ),
    // The displayed error must not change while it is read.
    refetchInterval: false,
    staleTime: 60_000,
  })

interface EnvironmentRef {
  project: string
  env: string
}

export function changeIssue(requested: EnvironmentRef & { issue: string; decision: IssueDecision }) {
  const { project, env, issue, decision } = requested
  return request(calls.issues.changeIssue, { params: { project, env, issue }, body: decision })
}

export function changeIssues(requested: EnvironmentRef & { issues: string[]; decision: IssueDecision }) {
  const { project, env, issues, decision } = requested
  return request(calls.issues.changeIssues, { params: { project, env }, body: { issues, ...decision } })
}

export function mergeIssues(requested: EnvironmentRef & { into: string; issues: string[] }) {
  const { project, env, into, issues } = requested
  return request(calls.issues.mergeIssues, { params: { project, env, issue: into }, body: { issues } })
}

export function splitIssue(requested: EnvironmentRef & { issue: string; merged: string }) {
  const { project, env, issue, merged } = requested
  return request(calls.issues.splitIssue, { params: { project, env, issue }, body: { merged } })
}

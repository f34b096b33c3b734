import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as issues from '@telltale/core/contract/issues'
import type * as contract from '@telltale/core/contract/overview'
import type { TimeStep } from '@telltale/core/query/time-buckets'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type Overview = ReplyOf<typeof contract.getOverview>
export type SeenIssue = ReplyOf<typeof issues.listIssues>['items'][number]

/** Without a step, the server chooses one that gives about a hundred points. */
export const overviewQuery = (question: Question, step?: TimeStep) =>
  questionQuery(question, ['overview', step], ({ query, ...requested }) =>
    request(calls.overview.getOverview, { ...requested, query: { ...query, step } }),
  )

const newIssuesRead = 50

/** Open error issues first seen after this time, those with the most sessions first. */
export const newIssuesQuery = (question: Question) =>
  questionQuery(question, ['issues', 'new'], async ({ query: { from, to }, ...requested }) => {
    const query = { from, to, state: 'open', sort: 'first-seen', limit: newIssuesRead } as const
    const { items } = await request(calls.issues.listIssues, { ...requested, query })
    const fresh = items.filter(({ firstSeenAt }) => firstSeenAt >= from)
    return { hasAny: items.length > 0, fresh: fresh.sort((a, b) => b.sessions - a.sessions) }
  })

/** Error issues that regressed, seen in this period. */
export const returnedIssuesQuery = (question: Question) =>
  questionQuery(question, ['issues', 'returned'], async ({ query: { from, to }, ...requested }) => {
    const { items } = await request(calls.issues.listIssues, {
      ...requested,
      query: { from, to, state: 'regressed' },
    })
    return items
  })

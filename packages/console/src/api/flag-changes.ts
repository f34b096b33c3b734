import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/overview'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type FlagChange = ReplyOf<typeof contract.listFlagChanges>['changes'][number]

/** Flag changes in the period, oldest first, regardless of the filters: a change affects all users. */
export const flagChangesQuery = (question: Question, flag?: string) =>
  questionQuery(
    { ...question, filter: '' },
    ['flag-changes', flag],
    ({ query: { from, to }, ...requested }) =>
      request(calls.overview.listFlagChanges, { ...requested, query: { from, to, flag } }),
  )

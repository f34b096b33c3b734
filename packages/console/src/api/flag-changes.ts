import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/overview'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type FlagChange = ReplyOf<typeof contract.listFlagChanges>['changes'][number]

/** What was changed in the flags meanwhile, the oldest first. Whatever is filtered by: a change is for everybody. */
export const flagChangesQuery = (question: Question, flag?: string) =>
  questionQuery({ ...question, filter: '' }, ['flag-changes', flag], ({ query: { from, to }, ...asked }) =>
    request(calls.overview.listFlagChanges, { ...asked, query: { from, to, flag } }),
  )

import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/overview'
import { endpoint, request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type FlagChange = ReplyOf<typeof contract.listFlagChanges>['changes'][number]

const listFlagChanges = endpoint<typeof contract.listFlagChanges>(
  'GET',
  '/api/v1/projects/:project/environments/:env/flag-changes',
)

/** What was changed in the flags meanwhile, the oldest first. Whatever is filtered by: a change is for everybody. */
export const flagChangesQuery = (question: Question, flag?: string) =>
  questionQuery({ ...question, filter: '' }, ['flag-changes', flag], ({ query: { from, to }, ...asked }) =>
    request(listFlagChanges, { ...asked, query: { from, to, flag } }),
  )

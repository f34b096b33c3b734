import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/suspects'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type SuspectList = ReplyOf<typeof contract.listSuspects>

/** Flags for which the problem affects more users; `of` is a filter that selects the affected events. */
export const suspectsQuery = (question: Question, of: string) =>
  questionQuery(question, ['suspects', of], ({ query, ...place }) =>
    request(calls.suspects.listSuspects, { ...place, query: { ...query, of } }),
  )

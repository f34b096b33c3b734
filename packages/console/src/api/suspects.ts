import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/suspects'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type SuspectList = ReplyOf<typeof contract.listSuspects>

/** Flags under which it happens to more people; `of` is a filter that says what happens. */
export const suspectsQuery = (question: Question, of: string) =>
  questionQuery(question, ['suspects', of], ({ query, ...place }) =>
    request(calls.suspects.listSuspects, { ...place, query: { ...query, of } }),
  )

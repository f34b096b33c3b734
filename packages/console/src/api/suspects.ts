import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/suspects'
import { endpoint, request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type SuspectList = ReplyOf<typeof contract.listSuspects>

const listCall = endpoint<typeof contract.listSuspects>(
  'GET',
  '/api/v1/projects/:project/environments/:env/suspects',
)

/** Flags under which it happens to more people; `of` is a filter that says what happens. */
export const suspectsQuery = (question: Question, of: string) =>
  questionQuery(question, ['suspects', of], ({ query, ...place }) =>
    request(listCall, { ...place, query: { ...query, of } }),
  )

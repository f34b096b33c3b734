import type { ReplyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/replays'
import { endpoint, request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type ReplayMoment = ReplyOf<typeof contract.listReplayMoments>['items'][number]
export type MomentsOf = contract.MomentKind

const listCall = endpoint<typeof contract.listReplayMoments>(
  'GET',
  '/api/v1/projects/:project/environments/:env/replays/moments',
)

/** Moments of recorded sessions that can be watched, the most telling first. */
export const replayMomentsQuery = (question: Question, asked: { of: MomentsOf; limit: number }) =>
  questionQuery(question, ['replay-moments', asked.of, asked.limit], ({ query, ...place }) =>
    request(listCall, { ...place, query: { ...query, ...asked } }),
  )

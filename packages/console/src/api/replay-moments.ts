import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/replays'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type ReplayMoment = ReplyOf<typeof contract.listReplayMoments>['items'][number]
export type MomentsOf = contract.MomentKind

/** Moments of recorded sessions that can be replayed, the most relevant first. */
export const replayMomentsQuery = (question: Question, requested: { of: MomentsOf; limit: number }) =>
  questionQuery(question, ['replay-moments', requested.of, requested.limit], ({ query, ...place }) =>
    request(calls.replays.listReplayMoments, { ...place, query: { ...query, ...requested } }),
  )

import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/explore'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type Explored = ReplyOf<typeof contract.explore>
export type ExploredGroup = Explored['groups'][number]
/** The measure and its grouping. */
export type Exploration = Omit<QueryOf<typeof contract.explore>, 'from' | 'to' | 'filter'>

export const exploreQuery = (question: Question, exploration: Exploration) =>
  questionQuery(question, ['explore', exploration], ({ query, ...requested }) =>
    request(calls.explore.explore, { ...requested, query: { ...query, ...exploration } }),
  )

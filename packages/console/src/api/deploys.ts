import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/deploys'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type Deploy = ReplyOf<typeof contract.listDeploys>['deploys'][number]

/** Deploys in the period, oldest first, regardless of the filters: a deploy affects all users. */
export const deploysQuery = (question: Question, version?: string) =>
  questionQuery({ ...question, filter: '' }, ['deploys', version], ({ query: { from, to }, ...requested }) =>
    request(calls.deploys.listDeploys, { ...requested, query: { from, to, version } }),
  )

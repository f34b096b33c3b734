import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/services'
import type { TimeStep } from '@telltale/core/query/time-buckets'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type ServiceRow = ReplyOf<typeof contract.listServices>['services'][number]
export type MeasuredService = ReplyOf<typeof contract.getService>
export type OperationRow = MeasuredService['operations'][number]

export const servicesQuery = (question: Question) =>
  questionQuery(question, ['services'], (requested) => request(calls.services.listServices, requested))

/** Without a step, the server chooses one that gives about a hundred points. */
export const serviceQuery = (question: Question, service: string, step?: TimeStep) =>
  questionQuery(question, ['service', service, step], ({ query, ...requested }) =>
    request(calls.services.getService, { ...requested, query: { ...query, service, step } }),
  )

import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/services'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type ServiceRow = ReplyOf<typeof contract.listServices>['services'][number]

export const servicesQuery = (question: Question) =>
  questionQuery(question, ['services'], (requested) => request(calls.services.listServices, requested))

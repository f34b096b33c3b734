import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/rates'
import { request } from './client.ts'
import { type Question, questionQuery } from './question.ts'

export type Rates = ReplyOf<typeof contract.measureRates>
export type Rate = Rates['total']
export type RateComparison = NonNullable<Rates['comparison']>
export type RatesQuery = Omit<QueryOf<typeof contract.measureRates>, 'from' | 'to' | 'filter'>

export const ratesQuery = (question: Question, asked: RatesQuery) =>
  questionQuery(question, ['rates', asked], ({ query, ...place }) =>
    request(calls.rates.measureRates, { ...place, query: { ...query, ...asked } }),
  )

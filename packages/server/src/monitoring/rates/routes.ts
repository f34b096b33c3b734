import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { measureRates } from './measure-rates.ts'

export const rateRoutes: Handlers<Calls['rates'], Services> = {
  measureRates: async (services, requested) =>
    measureRates(await openQuestion(services, requested), requested.query),
}

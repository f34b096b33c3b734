import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { getRequest } from './get-request.ts'
import { listRequestBreakdown } from './list-request-breakdown.ts'
import { listRequests } from './list-requests.ts'

export const requestRoutes: Handlers<Calls['requests'], Services> = {
  listRequests: async (services, asked) => listRequests(await openQuestion(services, asked), asked.query),
  getRequest: async (services, asked) => getRequest(await openQuestion(services, asked), asked.query),
  listRequestBreakdown: async (services, asked) =>
    listRequestBreakdown(await openQuestion(services, asked), asked.query),
}

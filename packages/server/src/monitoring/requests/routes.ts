import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { getRequest } from './get-request.ts'
import { listRequestBreakdown } from './list-request-breakdown.ts'
import { listRequestSpans } from './list-request-spans.ts'
import { listRequests } from './list-requests.ts'

export const requestRoutes: Handlers<Calls['requests'], Services> = {
  listRequests: async (services, requested) =>
    listRequests(await openQuestion(services, requested), requested.query),
  getRequest: async (services, requested) =>
    getRequest(await openQuestion(services, requested), requested.query),
  listRequestBreakdown: async (services, requested) =>
    listRequestBreakdown(await openQuestion(services, requested), requested.query),
  listRequestSpans: async (services, requested) =>
    listRequestSpans(await openQuestion(services, requested), requested.query),
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { getService } from './get-service.ts'
import { listServices } from './list-services.ts'

export const serviceRoutes: Handlers<Calls['services'], Services> = {
  listServices: async (services, requested) => listServices(await openQuestion(services, requested)),
  getService: async (services, requested) =>
    getService(await openQuestion(services, requested), requested.query),
}

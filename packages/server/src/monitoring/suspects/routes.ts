import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { listSuspects } from './list-suspects.ts'

export const suspectRoutes: Handlers<Calls['suspects'], Services> = {
  listSuspects: async (services, requested) =>
    listSuspects(services, await openQuestion(services, requested), requested.query.of),
}

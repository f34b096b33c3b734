import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { listLogLevels } from './list-log-levels.ts'
import { listLogs } from './list-logs.ts'

export const logRoutes: Handlers<Calls['logs'], Services> = {
  listLogs: async (services, requested) => listLogs(await openQuestion(services, requested), requested.query),
  listLogLevels: async (services, requested) =>
    listLogLevels(await openQuestion(services, requested), requested.query),
}

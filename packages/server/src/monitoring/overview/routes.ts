import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { StackMapper } from '../../intake/source-maps/map-frames.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { openQuestion } from '../explore/open-question.ts'
import { getOverview } from './get-overview.ts'
import { listFlagChanges } from './list-flag-changes.ts'
import { listNewErrors } from './list-new-errors.ts'

export const overviewRoutes: Handlers<Calls['overview'], Services & { stackMapper: StackMapper }> = {
  getOverview: async (services, requested) =>
    getOverview(await openQuestion(services, requested), requested.query),
  listFlagChanges: async ({ db, clock }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return listFlagChanges(db, id, { query, now: clock() })
  },
  listNewErrors: async (services, requested) =>
    listNewErrors(services, await openQuestion(services, requested), requested.query),
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { listOrders } from './list-orders.ts'

export const recordingOrderRoutes: Handlers<Calls['recordingOrders'], Services> = {
  listRecordingOrders: async ({ db }, { project, params }) =>
    listOrders(db, await getEnvironment(db, { projectId: project.row.id, key: params.env })),
}

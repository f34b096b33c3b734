import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import type { Live } from './live.ts'

export const liveRoutes: Handlers<Calls['live'], Services & { live: Live }> = {
  tailEvents: async ({ db, live }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return live.open(id, query.filter ?? '')
  },
}

import type { Calls } from '@telltale/core/contract/calls'
import { getEnvironment } from '../environments/queries.ts'
import type { Handlers } from '../http/route.ts'

export const liveRoutes: Handlers<Calls['live']> = {
  tailEvents: async ({ db, live }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return live.open(id, query.filter ?? '')
  },
}

import type { Calls } from '@telltale/core/contract/calls'
import { getEnvironment } from '../environments/queries.ts'
import type { Handlers } from '../http/route.ts'
import { listEvents } from './list-events.ts'
import { listOutcomes } from './list-outcomes.ts'

export const intakeRoutes: Handlers<Calls['intake']> = {
  listEvents: async ({ db, telemetry, clock }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return listEvents(telemetry, id, { query, now: clock() })
  },
  listOutcomes: async ({ db, telemetry, clock }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return listOutcomes(telemetry, id, { query, now: clock() })
  },
}

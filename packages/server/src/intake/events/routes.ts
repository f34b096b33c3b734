import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { IntakeServices } from './intake-services.ts'
import { listEvents } from './list-events.ts'
import { listOutcomes } from './list-outcomes.ts'
import { noteSettlement } from './note-settlement.ts'

export const intakeRoutes: Handlers<Calls['intake'], IntakeServices> = {
  listEvents: async ({ db, telemetry, clock }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return listEvents(telemetry, id, { query, now: clock() })
  },
  listOutcomes: async ({ db, telemetry, intake, clock }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return listOutcomes(telemetry, id, { query, now: clock(), quarantinedRows: intake.quarantinedRows })
  },
  listQuarantine: async ({ db, intake }, { project, params }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const { items, complete } = await intake.quarantinedRows.list(id)
    return {
      items: items.map(({ since, ...group }) => ({ ...group, since: new Date(since).toISOString() })),
      complete,
    }
  },
  retryQuarantine: async (services, requested) => {
    const environment = await noteChoice(services, requested, 'quarantine.retry')
    return services.intake.quarantinedRows.retry(environment.id, requested.body.groups)
  },
  discardQuarantine: async (services, requested) => {
    const environment = await noteChoice(services, requested, 'quarantine.discard')
    return { discarded: await services.intake.quarantinedRows.discard(environment.id, requested.body.groups) }
  },
}

type Choice = Pick<
  Parameters<Handlers<Calls['intake'], IntakeServices>['discardQuarantine']>[1],
  'project' | 'params' | 'origin' | 'body'
>

async function noteChoice(
  { db, intake }: Pick<IntakeServices, 'db' | 'intake'>,
  { project, params, origin, body }: Choice,
  action: 'quarantine.retry' | 'quarantine.discard',
) {
  const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
  const { items } = await intake.quarantinedRows.list(environment.id)
  const chosen = items.filter(({ id }) => body.groups.includes(id))
  const rows = chosen.reduce((sum, { count }) => sum + count, 0)
  if (rows > 0) await noteSettlement(db, origin, { action, project: project.row, environment, rows })
  return environment
}

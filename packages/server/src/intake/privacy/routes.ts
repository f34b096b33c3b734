import type { Calls } from '@telltale/core/contract/calls'
import type { ProjectAccess } from '../../access/access.ts'
import type { Handlers } from '../../access/route.ts'
import { noteInAudit } from '../../organisation/audit/note-refusal.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { IntakeServices } from '../events/intake-services.ts'
import { erasePerson } from './erase-person.ts'
import { pseudonymOf, toErasure } from './erasure.ts'
import { exportPerson } from './export-person.ts'
import { findErasures, getErasure } from './queries.ts'
import { findHolders } from './remains.ts'
import { runErasures } from './run-erasures.ts'

export const privacyRoutes: Handlers<Calls['privacy'], IntakeServices> = {
  erasePerson: async (services, { project, params, origin, body }) => {
    const { db, config, erasedPeople, background } = services
    const holders = await findHolders(config)
    const erasure = await erasePerson(holders)(db, origin, {
      project: project.row,
      env: params.env,
      person: body,
    })
    // From now on this server refuses the user's events; the other servers are notified.
    await erasedPeople.refresh()
    background(runErasures(services), 'erasing a user')
    return erasure
  },
  listErasures: async ({ db, config }, { project, params, query }) => {
    const { id } = await environmentOf(db, project, params.env)
    const holders = await findHolders(config)
    return readNewestFirst(query, {
      find: (before, count) => findErasures(db, id, { before, count }),
      toItem: (row) => toErasure(row, holders),
    })
  },
  getErasure: async ({ db, config }, { project, params }) => {
    const { id } = await environmentOf(db, project, params.env)
    return toErasure(await getErasure(db, id, params.erasure), await findHolders(config))
  },
  exportPerson: async (services, { project, params, query, origin }) => {
    const environment = await environmentOf(services.db, project, params.env)
    const { targetingKey } = params
    const page = await exportPerson(services, environment, { ...query, targetingKey })
    if (query.cursor === undefined) {
      const ids = [targetingKey, query.anonymousId].filter((id) => id !== undefined)
      const person = pseudonymOf(ids)
      const entity = { kind: 'person', id: person, name: person }
      await noteInAudit(services.db, origin, [
        { action: 'person.export', entity, project: project.row, environment },
      ])
    }
    return page
  },
}

function environmentOf(db: Queryable, { row }: ProjectAccess, env: string) {
  return getEnvironment(db, { projectId: row.id, key: env })
}

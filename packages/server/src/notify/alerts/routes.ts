import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { Services } from '../../platform/services.ts'
import { describeAlert, toAlerts, toIncident } from './alert.ts'
import { checkRule } from './check-alert.ts'
import { createAlert } from './create-alert.ts'
import { deleteAlert } from './delete-alert.ts'
import { measurePast } from './measure-past.ts'
import { muteAlert } from './mute-alert.ts'
import { findAlerts, findIncidents, getAlert } from './queries.ts'
import { testAlert } from './test-alert.ts'
import { updateAlert } from './update-alert.ts'

export const alertRoutes: Handlers<Calls['alerts'], Services> = {
  listAlerts: async ({ db }, { project, query }) => ({
    items: await toAlerts(db, await findAlerts(db, project.row.id, query.env)),
  }),
  createAlert: ({ db }, { project, origin, body }) =>
    createAlert(db, origin, { project: project.row, draft: body }),
  getAlert: async ({ db }, { project, params }) =>
    describeAlert(db, await getAlert(db, { project: project.row, id: params.alert })),
  updateAlert: ({ db }, { project, params, origin, body, ifMatch }) =>
    updateAlert(db, origin, { project: project.row, id: params.alert, draft: body, ifMatch }),
  deleteAlert: ({ db }, { project, params, origin }) =>
    deleteAlert(db, origin, { project: project.row, id: params.alert }),
  muteAlert: ({ db }, { project, params, origin, body }) =>
    muteAlert(db, origin, { project: project.row, id: params.alert, until: body.until }),
  testAlert: ({ db }, { project, params, origin }) =>
    testAlert(db, origin, { project: project.row, id: params.alert }),
  listIncidents: async ({ db }, { project, params, query }) => {
    const { row } = await getAlert(db, { project: project.row, id: params.alert })
    return readNewestFirst(query, {
      find: (before, count) => findIncidents(db, row.id, { before, count }),
      toItem: toIncident,
    })
  },
  getAlertHistory: async (services, { project, params }) => {
    const { row, environment } = await getAlert(services.db, { project: project.row, id: params.alert })
    const { rule } = row
    if (rule.kind !== 'measure') throw problem('wrong-state', 'An event-based rule has no measurements.')
    return measurePast(services, { environment, rule })
  },
  previewAlert: async (services, { project, params, body }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    checkRule(body.rule)
    return measurePast(services, { environment, rule: body.rule })
  },
}

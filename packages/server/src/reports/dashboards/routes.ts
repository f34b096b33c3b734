import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { Services } from '../../platform/services.ts'
import { checkTile } from './check-tiles.ts'
import { createDashboard } from './create-dashboard.ts'
import { toDashboard, toFile, toSummary } from './dashboard.ts'
import { deleteDashboard } from './delete-dashboard.ts'
import { measureTile } from './measure-tile.ts'
import { findDashboards, getDashboard } from './queries.ts'
import { updateDashboard } from './update-dashboard.ts'

export const dashboardRoutes: Handlers<Calls['dashboards'], Services> = {
  listDashboards: ({ db }, { project, query }) =>
    readNewestFirst(query, {
      find: (before, count) =>
        findDashboards(db, { projectId: project.row.id, search: query.search }, { before, count }),
      toItem: toSummary,
    }),
  createDashboard: ({ db }, { project, caller, origin, body }) =>
    createDashboard(db, origin, { project: project.row, owner: caller.user, draft: body }),
  importDashboard: ({ db }, { project, caller, origin, body }) =>
    createDashboard(db, origin, { project: project.row, owner: caller.user, draft: body }),
  getDashboard: async ({ db }, { project, params }) =>
    toDashboard(await getDashboard(db, { project: project.row, id: params.dashboard })),
  exportDashboard: async ({ db }, { project, params }) =>
    toFile(await getDashboard(db, { project: project.row, id: params.dashboard })),
  updateDashboard: ({ db }, { project, params, origin, body, ifMatch }) =>
    updateDashboard(db, origin, { project: project.row, id: params.dashboard, draft: body, ifMatch }),
  deleteDashboard: ({ db }, { project, params, origin }) =>
    deleteDashboard(db, origin, { project: project.row, id: params.dashboard }),
  readTile: async (services, { project, params, query }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    const { tiles } = await getDashboard(services.db, { project: project.row, id: params.dashboard })
    const tile = tiles.find(({ id }) => id === params.tile)
    if (tile === undefined) throw problem('not-found', 'The dashboard has no such tile.')
    return measureTile(services, {
      project: project.row,
      environment,
      tile,
      period: query,
      filter: query.filter,
    })
  },
  previewTile: async (services, { project, params, body }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    checkTile(body.tile)
    return measureTile(services, {
      project: project.row,
      environment,
      tile: body.tile,
      period: body,
      filter: body.filter,
    })
  },
}

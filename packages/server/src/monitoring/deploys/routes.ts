import type { Calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { periodOf, readSpan } from '../explore/open-question.ts'
import { createDeploy, toDeploy } from './create-deploy.ts'
import { deleteDeploy } from './delete-deploy.ts'
import { findDeploys } from './queries.ts'

export const deployRoutes: Handlers<Calls['deploys'], Services> = {
  createDeploy: async ({ db }, { project, params, origin, body }) => {
    const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return createDeploy(db, origin, { project: project.row, environment, deploy: body })
  },
  listDeploys: async ({ db, clock }, { project, params, query }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const span = readSpan(query, clock())
    const found = await findDeploys(db, { environmentId: id, version: query.version, ...span })
    return {
      ...periodOf(span),
      deploys: found.slice(0, limits.deploysListed).reverse().map(toDeploy),
      more: found.length > limits.deploysListed,
    }
  },
  deleteDeploy: async ({ db }, { project, params, origin }) => {
    const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    return deleteDeploy(db, origin, { project: project.row, environment, id: params.deploy })
  },
}

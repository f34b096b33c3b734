import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { deleteDeployHook, putDeployHook, toHook } from './change-hook.ts'
import { findHook } from './queries.ts'

export const deployHookRoutes: Handlers<Calls['deploy-hooks'], Services> = {
  getDeployHook: async ({ db }, { project, params, ownOrigin }) => {
    const { id } = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const row = await findHook(db, id)
    return { hook: row ? toHook(row, ownOrigin) : null }
  },
  putDeployHook: ({ db }, { project, params, origin, ownOrigin }) =>
    putDeployHook(db, origin, { project: project.row, env: params.env, site: ownOrigin }),
  deleteDeployHook: ({ db }, { project, params, origin }) =>
    deleteDeployHook(db, origin, { project: project.row, env: params.env }),
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { beginCanary } from './begin-canary.ts'
import { getCanary } from './get-canary.ts'

export const canaryRoutes: Handlers<Calls['canary'], Services> = {
  getCanary: ({ db }, { project, params }) =>
    getCanary({ db }, { projectId: project.row.id, env: params.env }),
  beginCanary: ({ db }, { project, origin, params }) =>
    beginCanary(db, origin, { project: project.row, env: params.env }),
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../http/route.ts'
import { beginCanary } from './begin-canary.ts'
import { getCanary } from './get-canary.ts'

export const canaryRoutes: Handlers<Calls['canary']> = {
  getCanary: ({ db }, { project, params }) =>
    getCanary({ db }, { projectId: project.row.id, env: params.env }),
  beginCanary: ({ db }, { project, origin, params }) =>
    beginCanary(db, origin, { project: project.row, env: params.env }),
}

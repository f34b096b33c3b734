import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { getAaTest } from './get-aa-test.ts'
import { restartAaTest } from './restart-aa-test.ts'

export const aaTestRoutes: Handlers<Calls['aa-test'], Services> = {
  getAaTest: ({ db }, { project, params }) =>
    getAaTest({ db }, { projectId: project.row.id, env: params.env }),
  restartAaTest: ({ db }, { project, origin, params }) =>
    restartAaTest(db, origin, { project: project.row, env: params.env }),
}

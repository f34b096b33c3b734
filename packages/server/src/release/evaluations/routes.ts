import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { resolveConfigRef } from '../flags/config-ref.ts'
import { getEvaluations } from './get-evaluations.ts'

export const evaluationRoutes: Handlers<Calls['evaluations'], Services> = {
  getFlagEvaluations: async ({ db, clock }, { project, params, query }) => {
    const { flag, environment } = await resolveConfigRef(db, { ...params, project: project.row })
    const ref = { flagId: flag.id, environmentId: environment.id }
    return getEvaluations(db, ref, { query, now: clock() })
  },
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { findTrialOfPlan, findTrialOfRollout } from './find-trial.ts'
import { openBackTest } from './open-back-test.ts'

export const backTestRoutes: Handlers<
  Pick<Calls['rollouts'], 'backTestRollout' | 'backTestPlan'>,
  Services
> = {
  backTestRollout: async (services, { project, params, query }) => {
    const requested = { projectId: project.row.id, rollout: params.rollout, runs: query.runs }
    return openBackTest(services, await findTrialOfRollout(services, requested))
  },
  backTestPlan: async (services, { project, params, body }) =>
    openBackTest(services, await findTrialOfPlan(services, { project: project.row, params, body })),
}

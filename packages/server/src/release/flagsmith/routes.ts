import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import type { ReleasePolicy } from '../flags/policy.ts'
import { importEnvironment } from './import/import-environment.ts'

export const flagsmithRoutes: Handlers<Calls['flagsmith'], Services & { policy: ReleasePolicy }> = {
  importFlagsmithEnvironment: ({ db, policy }, { body, query, caller, origin }) => {
    const { project, env, parseJson = false } = query
    return importEnvironment(db, origin, {
      review: policy.reviewConfig,
      document: body,
      project,
      env,
      parsesJson: parseJson,
      caller,
    })
  },
}

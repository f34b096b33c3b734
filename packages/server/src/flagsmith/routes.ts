import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../http/route.ts'
import { importEnvironment } from './import/import-environment.ts'

export const flagsmithRoutes: Handlers<Calls['flagsmith']> = {
  importFlagsmithEnvironment: ({ db }, { body, query, caller, origin }) => {
    const { project, env, parseJson = false } = query
    return importEnvironment(db, origin, { document: body, project, env, parsesJson: parseJson, caller })
  },
}

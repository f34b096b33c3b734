import type { Calls } from '@telltale/core/contract/calls'
import { getPlace } from '../flags/place.ts'
import type { Handlers } from '../http/route.ts'
import { getImpact } from './get-impact.ts'

export const impactRoutes: Handlers<Calls['impact']> = {
  getFlagImpact: async (services, { project, params, query }) => {
    const { flag, environment } = await getPlace(services.db, { ...params, project: project.row })
    const ref = { flagId: flag.id, environmentId: environment.id }
    return getImpact(services, { projectId: project.row.id, ref, query })
  },
}

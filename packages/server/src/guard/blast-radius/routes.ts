import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { previewBlastRadius } from './preview-blast-radius.ts'

export const blastRadiusRoutes: Handlers<Calls['blast-radius'], Services> = {
  previewBlastRadius: async (services, { project, params, body }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    return previewBlastRadius(services, { environment, grant: project.grant, ...body })
  },
}

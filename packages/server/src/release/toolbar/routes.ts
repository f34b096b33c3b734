import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { createToolbarLink } from './create-toolbar-link.ts'

export const toolbarRoutes: Handlers<Calls['toolbar'], Services> = {
  createToolbarLink: async ({ db, clock }, { project, params, body, ownOrigin }) =>
    createToolbarLink(db, {
      project: project.row,
      environment: await getEnvironment(db, { projectId: project.row.id, key: params.env }),
      draft: body,
      origin: ownOrigin,
      now: clock(),
    }),
}

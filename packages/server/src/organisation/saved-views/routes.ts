import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { createSavedView } from './create-saved-view.ts'
import { deleteSavedView } from './delete-saved-view.ts'
import { markSavedView } from './mark-saved-view.ts'
import { findSavedViews } from './queries.ts'
import { toSavedView } from './saved-view.ts'
import { updateSavedView } from './update-saved-view.ts'

export const savedViewRoutes: Handlers<Calls['saved-views'], Services> = {
  listSavedViews: async ({ db }, { project, caller }) => {
    const found = await findSavedViews(db, { projectId: project.row.id, userId: caller.user.id })
    return { items: found.map(toSavedView) }
  },
  createSavedView: ({ db }, { project, caller, origin, body }) =>
    createSavedView(db, origin, {
      project: project.row,
      grant: project.grant,
      user: caller.user,
      draft: body,
    }),
  updateSavedView: ({ db }, { project, params, caller, origin, body }) =>
    updateSavedView(db, origin, {
      project: project.row,
      grant: project.grant,
      userId: caller.user.id,
      id: params.savedView,
      ...body,
    }),
  deleteSavedView: ({ db }, { project, params, caller, origin }) =>
    deleteSavedView(db, origin, {
      project: project.row,
      grant: project.grant,
      userId: caller.user.id,
      id: params.savedView,
    }),
  markSavedView: ({ db }, { project, params, caller, origin, body }) =>
    markSavedView(db, origin, {
      project: project.row,
      userId: caller.user.id,
      id: params.savedView,
      ...body,
    }),
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { createHoldout } from './create-holdout.ts'
import { deleteHoldout } from './delete-holdout.ts'
import { endHoldout } from './end-holdout.ts'
import { toHoldout, toHoldouts } from './holdout.ts'
import { findHoldouts, getHoldout } from './queries.ts'
import { readHoldoutResults } from './read-holdout-results.ts'
import { updateHoldout } from './update-holdout.ts'

export const holdoutRoutes: Handlers<Calls['holdouts'], Services> = {
  listHoldouts: async ({ db }, { project, query }) => ({
    items: await toHoldouts(db, project.row.id, await findHoldouts(db, project.row.id, query.env)),
  }),
  createHoldout: ({ db }, { project, params, origin, body }) =>
    createHoldout(db, origin, { project: project.row, grant: project.grant, env: params.env, given: body }),
  getHoldout: async ({ db }, { project, params }) =>
    toHoldout(db, await getHoldout(db, project.row.id, params.holdout)),
  updateHoldout: ({ db }, { project, params, origin, body }) =>
    updateHoldout(db, origin, {
      project: project.row,
      grant: project.grant,
      key: params.holdout,
      given: body,
    }),
  endHoldout: async (services, { project, params, origin }) => {
    const { db } = services
    const results = await readHoldoutResults(services, await getHoldout(db, project.row.id, params.holdout))
    return endHoldout(db, origin, {
      project: project.row,
      grant: project.grant,
      key: params.holdout,
      results,
    })
  },
  deleteHoldout: ({ db }, { project, params, origin }) =>
    deleteHoldout(db, origin, { project: project.row, grant: project.grant, key: params.holdout }),
  getHoldoutResults: async (services, { project, params }) =>
    readHoldoutResults(services, await getHoldout(services.db, project.row.id, params.holdout)),
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../http/route.ts'
import { createEnvironment } from './create-environment.ts'
import { deleteEnvironment } from './delete-environment.ts'
import { toEnvironment } from './environment.ts'
import { findEnvironments, getEnvironment } from './queries.ts'
import { updateEnvironment } from './update-environment.ts'

export const environmentRoutes: Handlers<Calls['environments']> = {
  listEnvironments: async ({ db }, { project }) => {
    const rows = await findEnvironments(db, project.row.id)
    return { items: rows.map(toEnvironment) }
  },
  createEnvironment: ({ db }, { project, origin, body }) =>
    createEnvironment(db, origin, { project: project.row, draft: body }),
  getEnvironment: async ({ db }, { project, params }) =>
    toEnvironment(await getEnvironment(db, { projectId: project.row.id, key: params.env })),
  updateEnvironment: async ({ db, identityNotes }, { project, params, origin, body, ifMatch }) => {
    const change = { project: project.row, env: params.env, draft: body, ifMatch }
    const environment = await updateEnvironment(db, origin, change)
    if (body.privateTraits !== undefined) identityNotes.forgetPrivateTraits(environment.id)
    return environment
  },
  deleteEnvironment: ({ db }, { project, params, origin, query }) =>
    deleteEnvironment(db, origin, { project: project.row, env: params.env, confirm: query.confirm }),
}

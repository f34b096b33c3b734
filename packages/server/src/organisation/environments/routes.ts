import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { createEnvironment } from './create-environment.ts'
import { deleteEnvironment } from './delete-environment.ts'
import { toEnvironment } from './environment.ts'
import { findEnvironments, getEnvironment } from './queries.ts'
import { updateEnvironment } from './update-environment.ts'

interface EnvironmentServices extends Services {
  /** Removes traits that became private from the store, in the background. */
  forgetPrivateTraits(environmentId: string): void
}

export const environmentRoutes: Handlers<Calls['environments'], EnvironmentServices> = {
  listEnvironments: async ({ db }, { project }) => {
    const rows = await findEnvironments(db, project.row.id)
    return { items: rows.map(toEnvironment) }
  },
  createEnvironment: ({ db }, { project, origin, body }) =>
    createEnvironment(db, origin, { project: project.row, draft: body }),
  getEnvironment: async ({ db }, { project, params }) =>
    toEnvironment(await getEnvironment(db, { projectId: project.row.id, key: params.env })),
  updateEnvironment: async ({ db, forgetPrivateTraits }, { project, params, origin, body, ifMatch }) => {
    const change = { project: project.row, env: params.env, draft: body, ifMatch }
    const environment = await updateEnvironment(db, origin, change)
    if (body.privateTraits !== undefined) forgetPrivateTraits(environment.id)
    return environment
  },
  deleteEnvironment: ({ db }, { project, params, origin, query }) =>
    deleteEnvironment(db, origin, { project: project.row, env: params.env, confirm: query.confirm }),
}

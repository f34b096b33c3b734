import type { Calls } from '@telltale/core/contract/calls'
import type { ProjectAccess } from '../../access/access.ts'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import { deleteIdentity } from './delete-identity.ts'
import { evaluateIdentity } from './evaluate-identity.ts'
import { getIdentity } from './get-identity.ts'
import { listIdentities } from './list-identities.ts'

export const identityRoutes: Handlers<Calls['identities'], Services> = {
  listIdentities: async ({ db }, { project, params, query }) =>
    listIdentities(db, await viewOf(db, project, params.env), query),
  getIdentity: async ({ db }, { project, params }) =>
    getIdentity(db, await viewOf(db, project, params.env), params.targetingKey),
  evaluateIdentity: async ({ db }, { project, params }) =>
    evaluateIdentity(db, await viewOf(db, project, params.env), params.targetingKey),
  deleteIdentity: ({ db }, { project, params, origin }) =>
    deleteIdentity(db, origin, { ...params, project: project.row }),
}

/** An environment and the caller's role in it. */
async function viewOf(db: Queryable, { row, grant }: ProjectAccess, env: string) {
  return { environment: await getEnvironment(db, { projectId: row.id, key: env }), grant }
}

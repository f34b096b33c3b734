import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { getEnvironment } from '../environments/queries.ts'
import { createSigningSecret } from './create-signing-secret.ts'
import { revokeSigningSecret } from './revoke-signing-secret.ts'
import { setSignedUsers } from './set-signed-users.ts'
import { readSignedUsers } from './signed-users.ts'

export const signedUserRoutes: Handlers<Calls['signed-users'], Services> = {
  getSignedUsers: async ({ db }, { project, params }) =>
    readSignedUsers(db, await getEnvironment(db, { projectId: project.row.id, key: params.env })),
  setSignedUsers: ({ db }, { project, params, origin, body }) =>
    setSignedUsers(db, origin, { project: project.row, env: params.env, mode: body.mode }),
  createSigningSecret: ({ db }, { project, params, origin }) =>
    createSigningSecret(db, origin, { project: project.row, env: params.env }),
  revokeSigningSecret: ({ db }, { project, params, origin }) =>
    revokeSigningSecret(db, origin, { project: project.row, env: params.env, id: params.signingSecret }),
}

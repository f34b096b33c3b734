import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { toKey } from '../environments/key.ts'
import { findKeys } from '../environments/key-queries.ts'
import { getEnvironment } from '../environments/queries.ts'
import { createKey } from './create-key.ts'
import { revokeKey } from './revoke-key.ts'
import { rotateKey } from './rotate-key.ts'

export const keyRoutes: Handlers<Calls['keys'], Services> = {
  listKeys: async ({ db }, { project, params }) => {
    const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
    const rows = await findKeys(db, environment.id)
    return { items: rows.map(toKey) }
  },
  createKey: ({ db }, { project, params, origin, body }) =>
    createKey(db, origin, {
      project: project.row,
      env: params.env,
      kind: body.kind,
      label: body.label ?? '',
    }),
  rotateKey: ({ db }, { project, params, origin, body }) =>
    rotateKey(db, origin, { project: project.row, env: params.env, id: params.key, ...body }),
  revokeKey: ({ db }, { project, params, origin }) =>
    revokeKey(db, origin, { project: project.row, env: params.env, id: params.key }),
}

import type { Calls } from '@telltale/core/contract/calls'
import { scimPath } from '@telltale/core/contract/scim'
import { publicOrigin } from '../../access/public-origin.ts'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { createScimToken, listScimTokens, revokeScimToken } from './tokens.ts'

export const scimRoutes: Handlers<Calls['scim'], Services> = {
  listScimTokens: async (services, { ownOrigin }) => ({
    ...(await listScimTokens(services.db)),
    address: ((await publicOrigin(services)) ?? ownOrigin) + scimPath,
  }),
  createScimToken: ({ db }, { origin, body }) => createScimToken(db, origin, body),
  revokeScimToken: ({ db }, { origin, params }) => revokeScimToken(db, origin, { id: params.scimToken }),
}

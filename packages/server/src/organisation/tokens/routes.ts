import type { Calls } from '@telltale/core/contract/calls'
import type { TokenWithOwner } from '../../access/find-token.ts'
import type { Handlers } from '../../access/route.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { PageQuery } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { createToken } from './create-token.ts'
import { findTokens } from './queries.ts'
import { revokeToken } from './revoke-token.ts'
import { toToken } from './token.ts'

export const tokenRoutes: Handlers<Calls['tokens'], Services> = {
  listTokens: ({ db }, { caller, query }) => readTokens(db, { ownerId: caller.user.id }, query),
  createToken: ({ db }, { caller, origin, body }) => createToken(db, origin, { owner: caller.user, ...body }),
  revokeToken: ({ db }, { caller, origin, params }) =>
    revokeToken(db, origin, { id: params.token, of: { ownerId: caller.user.id } }),
  listProjectTokens: ({ db }, { project, query }) => readTokens(db, { projectId: project.row.id }, query),
  revokeProjectToken: ({ db }, { project, origin, params }) =>
    revokeToken(db, origin, { id: params.token, of: { projectId: project.row.id } }),
}

function readTokens(db: Queryable, of: Parameters<typeof findTokens>[1], query: PageQuery) {
  return readNewestFirst<TokenWithOwner & { id: string }, ReturnType<typeof toToken>>(query, {
    find: async (after, count) => {
      const found = await findTokens(db, of, { after, count })
      return found.map((row) => ({ ...row, id: row.token.id }))
    },
    toItem: toToken,
  })
}

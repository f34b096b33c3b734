import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import { publicOrigin } from '../../access/public-origin.ts'
import type { Handlers } from '../../access/route.ts'
import { findSessions } from '../../access/sessions.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { deleteUser } from './delete-user.ts'
import { endUserSessions } from './end-user-sessions.ts'
import { toLoginSession } from './login-session.ts'
import { issuePasswordReset } from './password-reset.ts'
import { findUser, findUsers } from './queries.ts'
import { updateUser } from './update-user.ts'
import { toUser } from './user.ts'

export const userRoutes: Handlers<Calls['users'], Services> = {
  listUsers: ({ db }, { query }) =>
    readPage(query, {
      find: (after, count) => findUsers(db, { search: query.search, after, count }),
      keyOf: (row) => row.email.toLowerCase(),
      toItem: toUser,
    }),
  getUser: async ({ db }, { params }) => toUser(await getUser(db, params.user)),
  updateUser: ({ db }, { params, origin, body }) => updateUser(db, origin, { id: params.user, ...body }),
  deleteUser: ({ db }, { params, origin }) => deleteUser(db, origin, { id: params.user }),
  listUserSessions: async ({ db }, { params, origin }) => {
    const { id } = await getUser(db, params.user)
    const sessions = await findSessions(db, id, origin.now)
    return { items: sessions.map((session) => toLoginSession(session)) }
  },
  endUserSessions: async ({ db }, { params, origin }) =>
    endUserSessions(db, origin, { user: await getUser(db, params.user) }),
  issuePasswordReset: async (services, { params, origin, ownOrigin }) => {
    const { db } = services
    const link = await issuePasswordReset(db, origin, { user: await getUser(db, params.user) })
    return {
      url: `${(await publicOrigin(services)) ?? ownOrigin}${link.path}`,
      expiresAt: link.expiresAt.toISOString(),
    }
  },
}

async function getUser(db: Queryable, id: string) {
  const user = await findUser(db, id)
  if (!user) throw problem('not-found')
  return user
}

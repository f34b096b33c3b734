import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { getInbox } from './get-inbox.ts'
import { storeRead } from './queries.ts'

export const inboxRoutes: Handlers<Calls['inbox'], Services> = {
  getInbox: ({ db, clock }, { project, caller }) =>
    getInbox(db, { projectId: project.row.id, grant: project.grant, userId: caller.user.id, now: clock() }),
  // Personal and worth no audit entry: what was read is not an entity of the project.
  markMentionsRead: async ({ db, clock }, { project, caller, body }) => {
    const userId = caller.user.id
    await storeRead(db, { projectId: project.row.id, userId, ids: body.comments, now: clock() })
    return null
  },
}

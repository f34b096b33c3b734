import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { readNewestFirst } from '../../platform/http/newest-first.ts'
import type { Services } from '../../platform/services.ts'
import { toUser } from '../users/user.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { createInvitation } from './create-invitation.ts'
import { toInvitation } from './invitation.ts'
import { postLetters } from './post-letters.ts'
import { findInvitations } from './queries.ts'
import { renewInvitation } from './renew-invitation.ts'
import { revokeInvitation } from './revoke-invitation.ts'
import { viewInvitation } from './view-invitation.ts'

export const invitationRoutes: Handlers<Calls['invitations'], Services> = {
  listInvitations: ({ db }, { project, origin, query }) =>
    readNewestFirst(query, {
      find: (before, count) => findInvitations(db, { projectId: project.row.id, before, count }),
      toItem: (row) => toInvitation(row, origin.now),
    }),
  createInvitation: (services, { project, caller, origin, body, ownOrigin }) =>
    postLetters(services, (post, site = ownOrigin) =>
      createInvitation(services.db, origin, {
        project: project.row,
        author: project.grant,
        ...body,
        sender: caller.user,
        site,
        post,
      }),
    ),
  renewInvitation: (services, { project, caller, params, origin, ownOrigin }) =>
    postLetters(services, (post, site = ownOrigin) =>
      renewInvitation(services.db, origin, {
        project: project.row,
        id: params.invitation,
        author: project.grant,
        sender: caller.user,
        site,
        post,
      }),
    ),
  revokeInvitation: ({ db }, { project, params, origin }) =>
    revokeInvitation(db, origin, { project: project.row, id: params.invitation }),
  viewInvitation: ({ db }, { body, origin }) => viewInvitation(db, { token: body.token, now: origin.now }),
  acceptInvitation: async ({ db }, { body, origin, userAgent, cookie }) => {
    const { user, project, session } = await acceptInvitation(db, origin, { ...body, userAgent })
    if (session !== null) cookie.set(session)
    return { user: toUser(user), project }
  },
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { addMember } from './add-member.ts'
import { toMember } from './member.ts'
import { findMembers, findOwners } from './queries.ts'
import { removeMember } from './remove-member.ts'
import { updateMember } from './update-member.ts'

export const memberRoutes: Handlers<Calls['members'], Services> = {
  listMembers: async ({ db }, { project, query }) => {
    const page = await readPage(query, {
      find: (after, count) =>
        findMembers(db, { projectId: project.row.id, search: query.search, after, count }),
      keyOf: ({ user }) => user.email.toLowerCase(),
      toItem: toMember,
    })
    return { ...page, owners: await findOwners(db) }
  },
  addMember: ({ db }, { project, origin, body }) =>
    addMember(db, origin, { project: project.row, author: project.grant, ...body }),
  updateMember: ({ db }, { project, params, origin, body }) =>
    updateMember(db, origin, {
      project: project.row,
      userId: params.user,
      author: project.grant,
      draft: body,
    }),
  removeMember: ({ db }, { project, params, origin }) =>
    removeMember(db, origin, { project: project.row, userId: params.user }),
}

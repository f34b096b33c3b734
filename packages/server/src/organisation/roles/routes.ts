import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { createRole } from './create-role.ts'
import { deleteRole } from './delete-role.ts'
import { listRoles } from './role.ts'
import { updateRole } from './update-role.ts'

export const roleRoutes: Handlers<Calls['roles'], Services> = {
  listRoles: async ({ db }, { project }) => ({ items: await listRoles(db, project.row.id) }),
  createRole: ({ db }, { project, origin, body }) =>
    createRole(db, origin, { project: project.row, author: project.grant, draft: body }),
  updateRole: ({ db }, { project, params, origin, body, ifMatch }) =>
    updateRole(db, origin, {
      project: project.row,
      key: params.role,
      author: project.grant,
      draft: body,
      ifMatch,
    }),
  deleteRole: ({ db }, { project, params, query, origin }) =>
    deleteRole(db, origin, {
      project: project.row,
      key: params.role,
      author: project.grant,
      moveTo: query.moveTo,
    }),
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { createProject } from './create-project.ts'
import { deleteProject } from './delete-project.ts'
import { listVisibleProjects } from './list-projects.ts'
import { toProject } from './project.ts'
import { updateProject } from './update-project.ts'

export const projectRoutes: Handlers<Calls['projects'], Services> = {
  listProjects: ({ db }, { caller, query }) =>
    readPage(query, {
      find: (after, count) => listVisibleProjects(db, caller, { after, count }),
      keyOf: ({ project }) => project.key,
      toItem: ({ project, role }) => toProject(project, role),
    }),
  createProject: ({ db }, { origin, body }) => createProject(db, origin, body),
  getProject: async (_, { project }) => toProject(project.row, project.role),
  updateProject: ({ db }, { project, origin, body, ifMatch }) =>
    updateProject(db, origin, { id: project.row.id, role: project.role, ifMatch, ...body }),
  deleteProject: ({ db }, { params, origin, query }) =>
    deleteProject(db, origin, { key: params.project, confirm: query.confirm }),
}

import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { getFlag } from '../flags/queries.ts'
import { deleteCodeReferences } from './delete-code-references.ts'
import { listCodeReferences } from './list-code-references.ts'
import { uploadCodeReferences } from './upload-code-references.ts'

export const codeReferenceRoutes: Handlers<Calls['code-references'], Services> = {
  uploadCodeReferences: ({ db }, { project, origin, body }) =>
    uploadCodeReferences(db, origin, { project: project.row, body }),
  listCodeReferences: async ({ db }, { project, params, query }) => {
    const { key } = await getFlag(db, project.row.id, params.flag)
    return listCodeReferences(db, { projectId: project.row.id, flagKey: key }, query)
  },
  deleteCodeReferences: ({ db }, { project, origin, query }) =>
    deleteCodeReferences(db, origin, { project: project.row, ...query }),
}

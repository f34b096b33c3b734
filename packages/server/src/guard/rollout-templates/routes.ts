import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { createTemplate } from './create-template.ts'
import { deleteTemplate } from './delete-template.ts'
import { findTemplates, getTemplate } from './queries.ts'
import { toTemplate } from './template.ts'
import { updateTemplate } from './update-template.ts'

export const rolloutTemplateRoutes: Handlers<Calls['rollout-templates'], Services> = {
  listRolloutTemplates: async ({ db }, { project }) => ({
    items: (await findTemplates(db, project.row.id)).map(toTemplate),
  }),
  getRolloutTemplate: async ({ db }, { project, params }) =>
    toTemplate(await getTemplate(db, project.row.id, params.template)),
  createRolloutTemplate: ({ db }, { project, origin, body }) =>
    createTemplate(db, origin, { project: project.row, draft: body }),
  updateRolloutTemplate: ({ db }, { project, params, origin, body: draft, ifMatch }) =>
    updateTemplate(db, origin, { project: project.row, key: params.template, draft, ifMatch }),
  deleteRolloutTemplate: ({ db }, { project, params, origin }) =>
    deleteTemplate(db, origin, { project: project.row, key: params.template }),
}

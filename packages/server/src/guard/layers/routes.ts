import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import type { Services } from '../../platform/services.ts'
import { createLayer } from './create-layer.ts'
import { deleteLayer } from './delete-layer.ts'
import { toLayers } from './layer.ts'
import { findLayers } from './queries.ts'
import { updateLayer } from './update-layer.ts'

export const layerRoutes: Handlers<Calls['layers'], Services> = {
  listLayers: async ({ db }, { project }) => ({
    items: await toLayers(db, project.row.id, await findLayers(db, project.row.id)),
  }),
  createLayer: ({ db }, { project, origin, body }) =>
    createLayer(db, origin, { project: project.row, given: body }),
  updateLayer: ({ db }, { project, params, origin, body }) =>
    updateLayer(db, origin, { project: project.row, key: params.layer, given: body }),
  deleteLayer: ({ db }, { project, params, origin }) =>
    deleteLayer(db, origin, { project: project.row, key: params.layer }),
}

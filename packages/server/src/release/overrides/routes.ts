import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { resolveConfigRef } from '../flags/config-ref.ts'
import { deleteOverride } from './delete-override.ts'
import { toOverride } from './override.ts'
import { putOverride } from './put-override.ts'
import { findOverrides } from './queries.ts'

export const overrideRoutes: Handlers<Calls['overrides'], Services> = {
  listOverrides: async ({ db }, { project, params, query }) => {
    const { flag, environment } = await resolveConfigRef(db, { ...params, project: project.row })
    return readPage(query, {
      find: (after, count) =>
        findOverrides(db, { environmentId: environment.id, flagId: flag.id }, { after, count }),
      keyOf: ({ targetingKey }) => targetingKey,
      toItem: toOverride,
    })
  },
  putOverride: ({ db }, { project, params, origin, body }) =>
    putOverride(db, origin, {
      place: { ...params, project: project.row, grant: project.grant },
      targetingKey: params.targetingKey,
      variation: body.variation,
    }),
  deleteOverride: ({ db }, { project, params, origin }) =>
    deleteOverride(db, origin, {
      place: { ...params, project: project.row, grant: project.grant },
      targetingKey: params.targetingKey,
    }),
}

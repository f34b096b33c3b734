import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import { deleteSourceMap } from './delete-source-map.ts'
import { findSourceMaps } from './queries.ts'
import { checkSourceMap, toSourceMap, uploadSourceMap } from './upload-source-map.ts'

export const sourceMapRoutes: Handlers<Calls['source-maps'], Services> = {
  uploadSourceMap: async ({ db }, { project, origin, query, body, memory }) =>
    uploadSourceMap(db, origin, { project: project.row, query, map: await checkSourceMap(body, memory) }),
  listSourceMaps: ({ db }, { project, query }) =>
    readPage(query, {
      find: (before, count) =>
        findSourceMaps(
          db,
          { projectId: project.row.id, version: query.version, q: query.q },
          { before, count },
        ),
      keyOf: ({ id }) => id,
      toItem: toSourceMap,
    }),
  deleteSourceMap: ({ db }, { project, params, origin }) =>
    deleteSourceMap(db, origin, { project: project.row, id: params.sourceMap }),
}

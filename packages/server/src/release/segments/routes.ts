import type { Calls } from '@telltale/core/contract/calls'
import type { Handlers } from '../../access/route.ts'
import { readPage } from '../../platform/http/page.ts'
import type { Services } from '../../platform/services.ts'
import type { ReleasePolicy } from '../flags/policy.ts'
import { createSegment } from './create-segment.ts'
import { deleteSegment } from './delete-segment.ts'
import { countSegmentUses, findSegments, findSegmentUses, getSegment } from './queries.ts'
import { toSegment } from './segment.ts'
import { updateSegment } from './update-segment.ts'

export const segmentRoutes: Handlers<Calls['segments'], Services & { policy: ReleasePolicy }> = {
  listSegments: async ({ db }, { project, query }) => {
    const { items, next } = await readPage(query, {
      find: (after, count) => findSegments(db, project.row.id, { after, count }),
      keyOf: ({ key }) => key,
      toItem: toSegment,
    })
    const uses = await countSegmentUses(
      db,
      project.row.id,
      items.map(({ key }) => key),
    )
    return { items: items.map((item) => ({ ...item, usedByFlags: uses.get(item.key) ?? 0 })), next }
  },
  createSegment: ({ db }, { project, origin, body }) =>
    createSegment(db, origin, { project: project.row, draft: body }),
  getSegment: async ({ db }, { project, params }) => {
    const row = await getSegment(db, project.row.id, params.segment)
    return { ...toSegment(row), usedBy: await findSegmentUses(db, project.row.id, row.key) }
  },
  updateSegment: ({ db, policy }, { project, params, origin, body, ifMatch }) =>
    updateSegment(db, origin, {
      policy,
      project: project.row,
      grant: project.grant,
      key: params.segment,
      draft: body,
      ifMatch,
    }),
  deleteSegment: ({ db }, { project, params, origin }) =>
    deleteSegment(db, origin, { project: project.row, key: params.segment }),
}
